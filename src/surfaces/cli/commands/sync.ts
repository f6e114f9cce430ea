import path from 'node:path';
import { loadConfig } from '../../../core/config/index.ts';
import { jsonText } from '../../../core/event/index.ts';
import { ensureFolders } from '../../../core/workspace/index.ts';
import type { SyncStep } from '../../../memory/replicate/index.ts';
import type { Direction, Synced } from '../../../service/sync/index.ts';
import { ensureDaemon, workspaceOf } from '../daemon-link.ts';
import { type AddCommand, command, Misused, Unsuccessful } from '../program.ts';
import { withProgress } from '../progress.ts';
import { askSecret } from '../secret-prompt.ts';
import { count, inLine, plural } from '../words.ts';
import { forgetAuthor } from './sync-author.ts';
import { type SyncCall, type SyncOptions, takeStep } from './sync-call.ts';

export const syncCommand: AddCommand = (program, io) => {
  command(program, 'sync', 'share this memory with your other devices through a git remote', [
    'memd sync init git@example.com:me/memory.git',
    'memd sync init ~/backup/memory.git --passphrase-file ~/.memd-passphrase',
    'memd sync',
    'memd sync --dry-run',
    'memd sync status',
    'memd sync forget-author bob@example.com',
  ])
    .argument('[ACTION]', 'init, pull, push, status or forget-author (default: pull, then push)')
    .argument('[NAME]', 'of init: a git address or a path; of forget-author: who recorded it')
    .option('--dry-run', 'show what would leave, and open no connection')
    .option(
      '--passphrase-file <FILE>',
      'read the passphrase from the first line of FILE, which has mode 0600',
    )
    .option(
      '--identity-file <FILE>',
      'of init: the age identity that opens what is encrypted for sync.recipients',
    )
    .option('--project <NAME>', "of init: the project's name on the remote (default: from its first commits)")
    .option('--purge', "replace the branch's history, so that it holds nothing that was forgotten")
    .option('-y, --yes', 'of forget-author: remove without a question')
    .option('--undo', 'of forget-author: import again what this author recorded')
    .action((action: string | undefined, name: string | undefined, options: SyncOptions) => {
      const workspace = workspaceOf(io);
      const { config, warnings } = loadConfig(workspace.config, io.env);
      for (const warning of warnings) io.note(`memd: ${warning}`);
      return act(action, name, { workspace, config, options, io });
    });
};

async function act(action: string | undefined, name: string | undefined, called: SyncCall): Promise<void> {
  const { options } = called;
  if (action === 'forget-author') return forgetAuthor(name, called);
  if (options.yes || options.undo) throw new Misused('--yes and --undo belong to `memd sync forget-author`');
  if (name !== undefined && action !== 'init') throw new Misused('only `memd sync init` takes an address');
  switch (action) {
    case 'init':
      return init(name, called);
    case 'status':
      return status(called);
    case undefined:
    case 'pull':
    case 'push':
      return run(action ?? 'both', called);
    default:
      throw new Misused('memd sync has no such action: use init, pull, push, status or forget-author');
  }
}

async function init(given: string | undefined, { workspace, config, options, io }: SyncCall): Promise<void> {
  const remote = given ?? config['sync.remote'];
  if (remote === '') throw new Misused('memd sync init needs the address of a git remote, or a path');
  const { branchOf, initSync } = await import('../../../service/sync/index.ts');
  ensureFolders(workspace);
  const { record, byHistory } = await initSync(workspace, { ...options, remote, cwd: io.cwd });
  const branch = branchOf(record).replace('refs/heads/', '');
  if (options.json)
    return io.out(jsonText({ ok: true, remote: record.remote, branch, device: record.devices.at(-1) }));
  io.out(`Sync is on for this project: ${record.remote}, branch ${branch}. Nothing was sent yet.`);
  io.out('Run `memd sync --dry-run` to see what would leave, and `memd sync` to send it.');
  if (!byHistory)
    io.out(
      'This folder has no git history, so its name stands for it. Any project of that name would share this memory: use `--project NAME`.',
    );
  if (!config['sync.encrypt']) io.note(`memd: ${plainWarning}`);
}

async function status({ workspace, config, options: { json }, io }: SyncCall): Promise<void> {
  const { syncStatus } = await import('../../../service/sync/index.ts');
  const found = await syncStatus(workspace, config, io.env);
  if (json) return io.out(jsonText({ ok: true, ...found }, 2));
  if (!found.on) return io.out('Sync is off for this project. Run `memd sync init REMOTE` to turn it on.');
  const lines = [
    ['remote', found.remote],
    ['branch', found.branch?.replace('refs/heads/', '')],
    ['device', found.device],
    ['author', found.author],
    ['encrypted', found.encrypted === 'none' ? 'no' : `yes, for ${encryptionWords[found.encrypted]}`],
    ['last sync', found.syncedAt ?? 'never'],
    ...(found.failure === null ? [] : [['failed', `${found.failure.at}: ${found.failure.what}`] as const]),
    ['waiting', found.waiting === null ? 'everything' : plural(found.waiting, 'change')],
  ] as const;
  for (const [name, value] of lines) io.out(`${name.padEnd(10)} ${inLine(value ?? '')}`);
  if (found.encrypted === 'none') io.note(`memd: ${plainWarning}`);
}

const encryptionWords = {
  passphrase: 'a passphrase',
  recipients: 'the recipients in sync.recipients',
} as const;
const plainWarning =
  'sync.encrypt is false: the memory leaves unencrypted, and everyone who can read the remote can read it.';

async function run(direction: Direction, called: SyncCall): Promise<void> {
  const { workspace, config, options, io } = called;
  const { mustHaveRecord, readRecord, sync } = await import('../../../service/sync/index.ts');
  if (readRecord(workspace) === null && config['sync.remote'] !== '') await init(undefined, called);
  mustHaveRecord(workspace);
  if (!config['sync.encrypt']) io.note(`memd: ${plainWarning}`);
  await ensureDaemon(workspace, io);
  const toDaemon = (step: SyncStep) => takeStep(workspace, step);
  if (options.dryRun) return dryRun(called);
  const passphraseFile = options.passphraseFile && path.resolve(io.cwd, options.passphraseFile);
  const prompt = askSecret(io, 'passphrase of the memory on the remote: ');
  const synced = await withProgress(io, 'syncing', () =>
    sync(
      { workspace, config, env: io.env, ask: toDaemon, prompt, passphraseFile },
      direction,
      options.purge === true,
    ),
  );
  io.out(options.json ? jsonText({ ok: true, ...synced }, 2) : describe(synced));
  for (const note of notesOf(synced)) io.note(`memd: ${note}`);
  if ((synced.pulled?.refused.newer ?? 0) > 0) throw new Unsuccessful();
}

async function dryRun({ workspace, config, options: { json }, io }: SyncCall): Promise<void> {
  const { authorOf, mustHaveRecord } = await import('../../../service/sync/index.ts');
  const { devices, remote } = mustHaveRecord(workspace);
  const author = await authorOf(workspace, config['sync.author'], io.env);
  const self = { devices, author, share: config['sync.share'] };
  await takeStep(workspace, { step: 'begin', self, again: false });
  const found = (await takeStep(workspace, { step: 'waiting', self })) as unknown as Waiting;
  if (json)
    return io.out(
      jsonText({ ok: true, remote, rows: found.rows, bytes: found.bytes, texts: found.texts }, 2),
    );
  const rows = Object.entries(found.rows).map(([type, n]) => plural(n, rowWords[type] ?? type));
  if (rows.length === 0) return io.out('Nothing would leave.');
  io.out(`Would leave for ${remote}: ${rows.join(', ')}; ${count(found.bytes)} bytes before compression.`);
  for (const text of found.texts) io.out(`  ${text}`);
  const more = (found.rows['summary'] ?? 0) - found.texts.length;
  if (more > 0) io.out(`  and ${plural(more, 'more memory')}`);
}

interface Waiting {
  readonly rows: Readonly<Record<string, number>>;
  readonly bytes: number;
  readonly texts: readonly string[];
}

const rowWords: Readonly<Record<string, string>> = { removed: 'removal', summary: 'memory' };

function describe({ pulled, pushed }: Synced): string {
  const parts: string[] = [];
  if (pulled !== null) {
    const from = pulled.authors.length > 0 ? ` from ${pulled.authors.join(', ')}` : '';
    parts.push(pulled.rows > 0 ? `received ${plural(pulled.rows, 'row')}${from}` : 'received nothing new');
    if (pulled.removed > 0)
      parts.push(`${plural(pulled.removed, 'memory')} forgotten or pruned elsewhere removed`);
  }
  if (pushed !== null) {
    const { segments, bytes, rewritten } = pushed;
    parts.push(
      segments > 0 ? `sent ${plural(segments, 'segment')} (${count(bytes)} bytes)` : 'sent nothing new',
    );
    if (rewritten > 0) parts.push(`${plural(rewritten, 'segment')} rewritten without what was forgotten`);
  }
  return parts.join('; ');
}

function notesOf({ pulled, renamed }: Synced): string[] {
  const { newer = 0, locked = 0, plain = 0, damaged = 0, odd = 0 } = pulled?.refused ?? {};
  const notes = [
    [
      newer,
      'was written by a newer memd and was not read. Your memory is untouched. Install the newest memd, then run `memd sync`.',
    ],
    [
      locked,
      'is encrypted with another key and was not read. Check the passphrase, sync.recipients and sync.encrypt.',
    ],
    [
      plain,
      'is not encrypted, although sync.encrypt is true, and was not read: anybody could have written it.',
    ],
    [damaged, 'is damaged or forged and was not read.'],
    [odd, 'on the branch is not of memd and was ignored.'],
  ] as const;
  const found = notes.flatMap(([n, what], at) =>
    n > 0 ? [`${plural(n, at === 4 ? 'file' : 'segment')}: ${n > 1 ? 'each ' : ''}${what}`] : [],
  );
  if ((pulled?.bad ?? 0) > 0)
    found.push(`${plural(pulled?.bad ?? 0, 'row')} of the remote not valid and left out.`);
  for (const file of pulled?.restoreFiles ?? [])
    found.push(
      `what another device pruned is in ${file} for 30 days. Run \`mem import FILE\` to restore it.`,
    );
  if (renamed)
    found.push(
      'the remote has segments of this device that are not known here. It goes on under a new device id.',
    );
  return found;
}
