import { jsonText } from '#core/event';
import { size } from '#surfaces/health';
import { ownPrograms } from '#surfaces/install';
import { type Data, type MemoryAmount, memoryOf, type UninstallReport, uninstall } from '#surfaces/uninstall';
import { canAsk, confirm } from '../confirm.ts';
import type { Io } from '../io.ts';
import { Unsuccessful } from '../program.ts';
import { changeLines } from '../show.ts';
import { plural, printable } from '../words.ts';

interface Options {
  readonly keepData?: boolean;
  readonly deleteData?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `memd uninstall --all`. */
export async function uninstallAll(options: Options, io: Io): Promise<void> {
  const { dryRun = false, json = false } = options;
  const programs = ownPrograms(io.env);
  const data = await decide(options, io);
  const report = await uninstall(io.env, programs, data, dryRun);
  if (json) io.out(jsonText(inJson(report, dryRun), 2));
  else show(report, dryRun, io);
  for (const problem of report.problems) io.note(`memd: ${problem}`);
  if (report.problems.length > 0) throw new Unsuccessful();
}

/** Deletes the memories only on request: by option, or after a question on a terminal. */
async function decide(options: Options, io: Io): Promise<Data> {
  if (options.deleteData) return 'delete';
  if (options.keepData || options.json || options.dryRun || !canAsk(io)) return 'keep';
  const memory = memoryOf(io.env);
  if (memory.projects === 0) return 'keep';
  const question = `Also delete the memories? ${amount(memory)}. This cannot be undone; \`mem export\` saves those of a project. [y/N] `;
  return (await confirm(question)) ? 'delete' : 'keep';
}

function amount({ projects, memories, unreadable, bytes }: MemoryAmount): string {
  const more = unreadable === 0 ? '' : `, ${plural(unreadable, 'unreadable database')}`;
  return `${plural(projects, 'project')}, ${plural(memories, 'memory')}, ${size(bytes)}${more}`;
}

function inJson(report: UninstallReport, dryRun: boolean): object {
  const { assistants, backups, daemons, memory, memoryLeft, removed, foreign, problems, plugin } = report;
  return {
    ok: problems.length === 0,
    ...(dryRun ? { dryRun } : {}),
    clients: assistants.map(({ assistant, files, diff }) => ({
      client: assistant.name,
      files,
      ...(dryRun ? { diff } : {}),
    })),
    backups,
    daemons: daemons.map(({ workspace: { namespace, root }, outcome, pid, reason }) => ({
      ...{ namespace, root, outcome, pid },
      ...(reason === null ? {} : { reason }),
    })),
    data: { ...memory, deleted: memory.bytes > 0 && memoryLeft.bytes === 0 },
    removed,
    left: foreign,
    problems,
    next: lastSteps(plugin),
  };
}

function show(report: UninstallReport, dryRun: boolean, io: Io): void {
  const { assistants, backups, daemons, memory, removed, foreign } = report;
  for (const { files, diff } of assistants) {
    if (dryRun) io.raw(printable(diff));
    else io.out(changeLines(files, io));
  }
  const action = dryRun ? 'would remove' : 'removed';
  const lines = [
    ...backups.removed.map((file) => `${action} the backup ${file}: its original is restored`),
    ...backups.kept.map((file) => `kept the backup ${file}`),
    ...daemons.map(
      ({ workspace: { root, folder }, outcome, pid }) =>
        `${outcomes[outcome]} the daemon of ${root || folder} (pid ${pid ?? 'unknown'})`,
    ),
    ...(dryRun ? removed.map((file) => `${action} ${file}`) : []),
    ...(dryRun || removed.length === 0 ? [] : [`${action} ${plural(removed.length, 'file')} of memd`]),
    ...foreign.map(({ file, why }) => `left ${file} (${why})`),
  ];
  const isEmpty = assistants.length + lines.length === 0 && memory.bytes === 0;
  const more = [
    ...(isEmpty ? ['nothing to remove'] : lines),
    ...memoryLines(report, dryRun),
    ...lastSteps(report.plugin).map(({ why, run }) => `${why}: ${run}`),
  ];
  for (const line of more) io.out(printable(line));
}

const outcomes: Readonly<Record<UninstallReport['daemons'][number]['outcome'], string>> = {
  stopped: 'stopped',
  killed: 'killed, because it did not answer,',
  running: 'would stop',
  left: 'did NOT stop',
  'not-running': 'not running:',
};

function memoryLines({ data, memory, memoryLeft }: UninstallReport, dryRun: boolean): string[] {
  if (memory.bytes === 0) return [];
  const text = `the memories in ${memory.folder} (${amount(memoryLeft.bytes === 0 ? memory : memoryLeft)})`;
  if (memoryLeft.bytes === 0) return [`${dryRun ? 'would delete' : 'deleted'} ${text}`];
  const action = dryRun ? 'would keep' : data === 'delete' ? 'did NOT delete' : 'kept';
  return [`${action} ${text}`, 'to delete them too, run `memd uninstall --all --delete-data`.'];
}

/** What only the user can do. */
function lastSteps(plugin: string | null): { why: string; run: string }[] {
  // `npm run setup` may have put it elsewhere than npm would.
  const prefix = /^(.+)\/lib\/node_modules\/memdaemon\/dist$/.exec(ownPrograms({}).dist)?.[1];
  const place = prefix === undefined ? '' : `--prefix "${prefix}" `;
  return [
    { why: 'running sessions still use the hooks', run: 'restart your assistants' },
    ...(plugin === null
      ? []
      : [{ why: 'to remove the plugin from Claude Code, run', run: `claude plugin uninstall ${plugin}` }]),
    { why: 'to remove the program, run last', run: `npm rm -g ${place}memdaemon` },
  ];
}
