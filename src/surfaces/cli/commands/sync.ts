import path from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '#core/config';
import { jsonText } from '#core/event';
import { ensureFolders } from '#core/workspace';
import type { Replica, SyncStep } from '#memory/replicate';
import type { Direction, Synced } from '#service/sync';
import { askSecret } from '../confirm.ts';
import { ensureDaemon, workspaceOf } from '../daemon-link.ts';
import { type AddCommand, command, Misused, Unsuccessful } from '../program.ts';
import { withProgress } from '../progress.ts';
import { count, inLine, plural } from '../words.ts';
import { forgetAuthor } from './sync-author.ts';
import { type SyncCall, takeStep } from './sync-call.ts';

export const syncCommand: AddCommand = (program, io) => {
  const called = (by: Command): SyncCall => {
    const workspace = workspaceOf(io);
    const { config, warnings } = loadConfig(workspace.config, io.env);
    for (const warning of warnings) io.note(`memd: ${warning}`);
    return { workspace, config, options: by.optsWithGlobals(), io };
  };
  const group = command(program, 'sync', 'share this memory through a git remote: pull, then push', [
    'memd sync init git@example.com:me/memory.git',
    'memd sync',
    'memd sync --dry-run',
    'memd sync status',
  ]);
  // An unknown action is named as one.
  withPushOptions(group)
    .allowExcessArguments()
    .action((_options, by: Command) => {
      if (by.args.length > 0)
        throw new Misused(
          'memd sync has no such action: use init, pull, push, status or forget-author. Run `memd sync --help`.',
        );
      return run('both', called(by));
    });
  withKeyFile(
    command(group, 'init', 'turn sync on for this project; nothing is sent yet', [
      'memd sync init git@example.com:me/memory.git',
      'memd sync init ~/backup/memory.git --passphrase-file ~/.memd-passphrase',
    ]),
  )
    .argument('[REMOTE]', 'a git address or a path (default: the setting sync.remote)')
    .option('--identity-file <FILE>', 'the age identity that opens what is encrypted for sync.recipients')
    .option('--project <NAME>', "the project's name on the remote (default: from its first commits)")
    .action((remote: string | undefined, _options, by: Command) => init(remote, called(by)));
  withDryRun(withKeyFile(command(group, 'pull', 'only receive', ['memd sync pull']))).action(
    (_options, by: Command) => run('pull', called(by)),
  );
  withPushOptions(command(group, 'push', 'only send', ['memd sync push'])).action((_options, by: Command) =>
    run('push', called(by)),
  );
  command(group, 'status', 'show the remote, the last sync, and what waits', ['memd sync status']).action(
    (_options, by: Command) => status(called(by)),
  );
  command(group, 'forget-author', 'remove what another author recorded, and import no more of it', [
    'memd sync forget-author bob@example.com',
  ])
    .argument('<AUTHOR>', 'as `mem search` shows it after "from"')
    .option('-y, --yes', 'remove without a question')
    .option('--undo', 'import again what this author recorded')
    .action((author: string, _options, by: Command) => forgetAuthor(author, called(by)));
};

function withKeyFile(target: Command): Command {
  return target.option(
    '--passphrase-file <FILE>',
    'read the passphrase from the first line of FILE, which has mode 0600',
  );
}

function withDryRun(target: Command): Command {
  return target.option('--dry-run', 'show what would leave, and open no connection');
}

function withPushOptions(target: Command): Command {
  return withDryRun(withKeyFile(target)).option(
    '--purge',
    "replace the branch's history, so that it holds nothing that was forgotten",
  );
}

async function init(given: string | undefined, { workspace, config, options, io }: SyncCall): Promise<void> {
  const remote = given ?? config['sync.remote'];
  if (remote === '') throw new Misused('memd sync init needs the address of a git remote, or a path');
  const { branchOf, initSync } = await import('#service/sync');
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
  const { syncStatus } = await import('#service/sync');
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
  const { mustHaveRecord, readRecord, sync } = await import('#service/sync');
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
  const { authorOf, mustHaveRecord } = await import('#service/sync');
  const { devices, remote } = mustHaveRecord(workspace);
  const author = await authorOf(workspace, config['sync.author'], io.env);
  const self = { devices, author, share: config['sync.share'] };
  await takeStep(workspace, { step: 'begin', self, again: false });
  const found = (await takeStep(workspace, { step: 'waiting', self })) as unknown as ReturnType<
    Replica['waiting']
  >;
  if (json) return io.out(jsonText({ ok: true, remote, ...found }, 2));
  const rows = Object.entries(found.rows).map(([type, n]) => plural(n, rowWords[type] ?? type));
  if (rows.length === 0) return io.out('Nothing would leave.');
  io.out(`Would leave for ${remote}: ${rows.join(', ')}; ${count(found.bytes)} bytes before compression.`);
  for (const text of found.texts) io.out(`  ${text}`);
  const more = (found.rows['summary'] ?? 0) - found.texts.length;
  if (more > 0) io.out(`  and ${plural(more, 'more memory')}`);
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
