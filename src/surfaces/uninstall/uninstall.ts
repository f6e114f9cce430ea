import { messageOf, removeIfThere } from '../../core/platform/index.ts';
import { type Environment, everyWorkspace, homeOf } from '../../core/workspace/index.ts';
import { lookAtEvery, type StoppedOne, stopEvery } from '../../service/lifecycle/index.ts';
import {
  type Assistant,
  assistantState,
  assistants,
  attempt,
  backupsNextTo,
  carryOut,
  diffOf,
  type FileReport,
  isEmpty,
  type Plan,
  type Programs,
  planUninstall,
  pluginOf,
  preview,
} from '../install/index.ts';
import { type MemoryAmount, memoryIn } from './memory.ts';
import { type Data, removeTraces } from './remove.ts';
import { type Foreign, tracesIn } from './traces.ts';

interface AssistantReport {
  readonly assistant: Assistant;
  readonly files: readonly FileReport[];
  /** A unified diff of the changes; empty once they are made. */
  readonly diff: string;
}

/** What was done, or would be done. */
export interface UninstallReport {
  readonly assistants: readonly AssistantReport[];
  /** Backups of the assistants' files: `removed` ones have the text that the file has now. */
  readonly backups: { readonly removed: readonly string[]; readonly kept: readonly string[] };
  readonly daemons: readonly StoppedOne[];
  readonly data: Data;
  /** Before; `memoryLeft` is after. They differ only if it was deleted. */
  readonly memory: MemoryAmount;
  readonly memoryLeft: MemoryAmount;
  /** Files of memd. */
  readonly removed: readonly string[];
  /** Other files below `~/.memd`. */
  readonly foreign: readonly Foreign[];
  /** Messages of failed steps. */
  readonly problems: readonly string[];
  /** The plugin's name in Claude Code, which only Claude Code can remove. */
  readonly plugin: string | null;
}

/** Changes nothing. */
export async function previewUninstall(
  env: Environment,
  programs: Programs,
  data: Data,
): Promise<UninstallReport> {
  const { plans, problems } = plansFor(env, programs);
  const daemons = await lookAtEvery(everyWorkspace(homeOf(env)));
  const traces = tracesIn(homeOf(env));
  const backups = plans.flatMap(backupsNextTo);
  const memory = memoryIn(traces);
  const all = [...traces.workspaces.flatMap((one) => one.traces), ...traces.others];
  const removed = all.filter(({ worth }) => data === 'delete' || worth === 'running');
  return {
    assistants: plans
      .filter((plan) => !isEmpty(plan))
      .map((plan) => ({ assistant: plan.assistant, files: preview(plan), diff: diffOf(plan) })),
    backups: {
      removed: namesOf(backups.filter(({ isNeedless }) => isNeedless)),
      kept: namesOf(backups.filter(({ isNeedless }) => !isNeedless)),
    },
    daemons: daemons.filter(({ outcome }) => outcome !== 'not-running'),
    data,
    memory,
    memoryLeft: data === 'delete' ? { ...memory, ...nothing } : memory,
    removed: namesOf(removed),
    foreign: traces.foreign,
    problems,
    plugin: pluginIn(env),
  };
}

/** Assistants first, so that no hook starts a daemon again; then daemons, then files. A failed step is reported and does not stop the others. */
export async function uninstall(env: Environment, programs: Programs, data: Data): Promise<UninstallReport> {
  const { plans, problems } = plansFor(env, programs);
  const plugin = pluginIn(env);
  const former = namesOf(plans.flatMap(backupsNextTo));
  const assistantsLeft: AssistantReport[] = [];
  for (const plan of plans) {
    if (isEmpty(plan)) continue;
    const files = attempt(() => carryOut(plan, env), problems);
    if (files !== null) assistantsLeft.push({ assistant: plan.assistant, files, diff: '' });
  }
  for (const { file, isNeedless } of plans.flatMap(backupsNextTo))
    if (isNeedless) removeBackup(file, problems);
  const kept = namesOf(plans.flatMap(backupsNextTo));

  const home = homeOf(env);
  const daemons = await stopEvery(everyWorkspace(home));
  for (const { reason } of daemons) if (reason !== null) problems.push(reason);
  const traces = tracesIn(home);
  const memory = memoryIn(traces);
  const spared = daemons.filter(({ outcome }) => outcome === 'left').map(({ workspace }) => workspace.folder);
  const { files: removed, problems: notRemoved } = removeTraces(home, data, new Set(spared));
  const after = tracesIn(home);
  return {
    assistants: assistantsLeft,
    backups: { removed: former.filter((file) => !kept.includes(file)), kept },
    daemons: daemons.filter(({ outcome }) => outcome !== 'not-running'),
    data,
    memory,
    memoryLeft: data === 'delete' ? memoryIn(after) : memory,
    removed,
    foreign: after.foreign,
    problems: [...problems, ...notRemoved],
    plugin,
  };
}

const nothing = { projects: 0, memories: 0, unreadable: 0, bytes: 0 };

export function memoryOf(env: Environment): MemoryAmount {
  return memoryIn(tracesIn(homeOf(env)));
}

function plansFor(env: Environment, programs: Programs): { plans: Plan[]; problems: string[] } {
  const problems: string[] = [];
  const plans = assistants.flatMap((assistant) => {
    // Unreadable settings that do not mention memd are ignored.
    const { state, files } = assistantState(assistant, env, programs);
    if (state === 'unreadable' && files.length === 0) return [];
    const plan = attempt(() => planUninstall(assistant, env, programs), problems);
    return plan === null ? [] : [plan];
  });
  return { plans, problems };
}

function removeBackup(file: string, problems: string[]): void {
  try {
    removeIfThere(file);
  } catch (error) {
    problems.push(`cannot remove ${file}: ${messageOf(error)}`);
  }
}

function pluginIn(env: Environment): string | null {
  for (const assistant of assistants) {
    const plugin = attempt(() => pluginOf(assistant, env), []);
    if (plugin !== null) return plugin.name;
  }
  return null;
}

function namesOf(files: readonly { readonly file: string }[]): string[] {
  return files.map(({ file }) => file);
}
