import { jsonText } from '../../../core/event/index.ts';
import { ownPrograms } from '../../install/index.ts';
import {
  type Data,
  type Memory,
  memoryOf,
  previewUninstall,
  type UninstallPlan,
  uninstall,
} from '../../uninstall/index.ts';
import { askYes } from '../ask-yes.ts';
import type { Io } from '../io.ts';
import { Unsuccessful } from '../program.ts';
import { changeLine } from '../show.ts';
import { count, plural, printable } from '../words.ts';
import { size } from './prune.ts';

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
  const uninstalling = dryRun
    ? await previewUninstall(io.env, programs, data)
    : await uninstall(io.env, programs, data);
  if (json) io.out(jsonText(asJson(uninstalling, dryRun), 2));
  else for (const told of linesFor(uninstalling, dryRun, io)) io.out(told);
  for (const problem of uninstalling.problems) io.note(`memd: ${problem}`);
  if (uninstalling.problems.length > 0) throw new Unsuccessful();
}

/** The memory goes only where its user says so: by the option, or asked once where he can see and answer. */
async function decide(options: Options, io: Io): Promise<Data> {
  if (options.deleteData) return 'delete';
  const canAsk = process.stdin.isTTY === true && io.isTerminal && io.showsProgress;
  if (options.keepData || options.json || options.dryRun || !canAsk) return 'keep';
  const memory = memoryOf(io.env);
  if (memory.projects === 0) return 'keep';
  const question = `Delete the memory too? ${amount(memory)}; it cannot be brought back, and \`mem export\` takes a project's along first. [y/N] `;
  return (await askYes(question, process.stdin, process.stderr)) ? 'delete' : 'keep';
}

function amount({ projects, memories, unreadable, bytes }: Memory): string {
  const many = memories === 1 ? '1 memory' : `${count(memories)} memories`;
  const more = unreadable === 0 ? '' : `, ${plural(unreadable, 'unreadable database')}`;
  return `${plural(projects, 'project')}, ${many}, ${size(bytes)}${more}`;
}

function asJson(uninstalling: UninstallPlan, dryRun: boolean): object {
  const { assistants, backups, daemons, memory, memoryLeft, removed, foreign, problems, plugin } =
    uninstalling;
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

function linesFor(uninstalling: UninstallPlan, dryRun: boolean, io: Io): string[] {
  const { assistants, backups, daemons, memory, removed, foreign } = uninstalling;
  const taken = assistants.flatMap(({ files, diff }) =>
    dryRun ? [printable(diff)] : files.map((file) => changeLine(file, io)),
  );
  const lines = [
    ...backups.removed.map((file) => `${word('removed', dryRun)} ${file}: the file is what it holds`),
    ...backups.kept.map((file) => `kept: ${file}: an earlier text of an assistant's settings`),
    ...daemons.map(
      ({ workspace: { root, folder }, outcome, pid }) =>
        `${fates[outcome]} the daemon of ${root || folder} (pid ${pid ?? 'unknown'})`,
    ),
    ...filesInWords(removed, dryRun),
    ...foreign.map(({ file, why }) => `left: ${file} (${why})`),
  ];
  const isNothing = taken.length + lines.length === 0 && memory.bytes === 0;
  const further = [
    ...(isNothing ? ['memd: nothing to take out'] : lines),
    ...memoryInWords(uninstalling, dryRun),
    ...lastSteps(uninstalling.plugin).map(({ why, run }) => `${why}: ${run}`),
  ];
  return [...taken, ...further.map(printable)];
}

const fates: Readonly<Record<UninstallPlan['daemons'][number]['outcome'], string>> = {
  stopped: 'stopped',
  killed: 'ended by signal, since it did not answer:',
  running: 'would stop',
  left: 'NOT ended:',
  'not-running': 'not running:',
};

function word(past: 'removed' | 'deleted', dryRun: boolean): string {
  return dryRun ? `would be ${past}:` : `${past}:`;
}

/** All of them where somebody looks before; only how many afterwards. */
function filesInWords(removed: readonly string[], dryRun: boolean): string[] {
  if (dryRun) return removed.map((file) => `${word('removed', dryRun)} ${file}`);
  return removed.length === 0 ? [] : [`removed: ${plural(removed.length, 'file')} of memd's own`];
}

function memoryInWords({ data, memory, memoryLeft }: UninstallPlan, dryRun: boolean): string[] {
  if (memory.bytes === 0) return [];
  const told = (some: Memory): string => `the memory in ${some.folder} (${amount(some)})`;
  if (memoryLeft.bytes === 0) return [`${word('deleted', dryRun)} ${told(memory)}`];
  return [
    `${dryRun ? 'would be kept' : data === 'delete' ? 'NOT deleted' : 'kept'}: ${told(memoryLeft)}`,
    'to delete it too, run: memd uninstall --all --delete-data',
  ];
}

/** What memd cannot do itself. */
function lastSteps(plugin: string | null): { why: string; run: string }[] {
  return [
    { why: 'sessions that run have the hooks still', run: 'end your assistants' },
    ...(plugin === null
      ? []
      : [{ why: "Claude Code has memd's plugin", run: `claude plugin uninstall ${plugin}` }]),
    { why: 'the program itself, last', run: 'npm rm -g memd' },
  ];
}
