import { Failure, messageOf, removeIfThere } from '../../core/platform/index.ts';
import { type Environment, everyWorkspace, homeOf } from '../../core/workspace/index.ts';
import { lookAtEvery, type StoppedOne, stopEvery } from '../../service/lifecycle/index.ts';
import {
  type Assistant,
  assistantState,
  assistants,
  type Backup,
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
import { type Memory, memoryIn } from './memory.ts';
import { type Data, removeTraces } from './remove.ts';
import { type Foreign, type Traces, tracesIn } from './traces.ts';

/** One assistant that memd is taken out of, or cannot be. */
export interface AssistantLeft {
  readonly assistant: Assistant;
  readonly files: readonly FileReport[];
  /** What would be changed, as a unified diff; empty once it is done. */
  readonly diff: string;
}

/** What was done, or would be. */
export interface UninstallPlan {
  readonly assistants: readonly AssistantLeft[];
  /** Backups beside the assistants' files: `removed` since the files are what they hold, the others are their owner's to look at. */
  readonly backups: { readonly removed: readonly string[]; readonly kept: readonly string[] };
  /** Of every workspace of this user that has a daemon. */
  readonly daemons: readonly StoppedOne[];
  readonly data: Data;
  /** As it was, and as it is: the two differ only where it was deleted. */
  readonly memory: Memory;
  readonly memoryLeft: Memory;
  /** Files of memd's own. */
  readonly removed: readonly string[];
  /** What lies below `~/.memd` and is not memd's. */
  readonly foreign: readonly Foreign[];
  /** What could not be done. */
  readonly problems: readonly string[];
  /** The plugin's name in Claude Code, which only Claude Code can take out. */
  readonly plugin: string | null;
}

/** What would be done. Changes nothing. */
export async function previewUninstall(
  env: Environment,
  programs: Programs,
  data: Data,
): Promise<UninstallPlan> {
  const { plans, problems } = plansFor(env, programs);
  const daemons = await lookAtEvery(everyWorkspace(homeOf(env)));
  const traces = tracesIn(homeOf(env));
  const backups = plans.flatMap(backupsNextTo);
  const memory = memoryIn(traces);
  return {
    assistants: plans
      .filter((plan) => !isEmpty(plan))
      .map((plan) => ({ assistant: plan.assistant, files: preview(plan), diff: diffOf(plan) })),
    backups: sorted(backups),
    daemons: daemons.filter(({ outcome }) => outcome !== 'not-running'),
    data,
    memory,
    memoryLeft: data === 'delete' ? { ...memory, ...nothing } : memory,
    removed: allOf(traces)
      .filter(({ worth }) => data === 'delete' || worth === 'running')
      .map(({ file }) => file),
    foreign: traces.foreign,
    problems,
    plugin: pluginIn(env),
  };
}

/**
 * Takes memd off this user's account: out of the assistants first, so that no hook starts a daemon anew, then the daemons, then the
 * files. What cannot be done is told and holds up nothing else. Done twice, there is nothing to do.
 */
export async function uninstall(env: Environment, programs: Programs, data: Data): Promise<UninstallPlan> {
  const { plans, problems } = plansFor(env, programs);
  const plugin = pluginIn(env);
  const former = plans.flatMap(backupsNextTo).map(({ file }) => file);
  const assistantsLeft: AssistantLeft[] = [];
  for (const plan of plans) {
    if (isEmpty(plan)) continue;
    const files = attempt(() => carryOut(plan, env), problems);
    if (files !== null) assistantsLeft.push({ assistant: plan.assistant, files, diff: '' });
  }
  for (const { file, isNeedless } of plans.flatMap(backupsNextTo))
    if (isNeedless) removeBackup(file, problems);
  const kept = plans.flatMap(backupsNextTo).map(({ file }) => file);

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

/** How much memory there is, for who is asked about it. */
export function memoryOf(env: Environment): Memory {
  return memoryIn(tracesIn(homeOf(env)));
}

function plansFor(env: Environment, programs: Programs): { plans: Plan[]; problems: string[] } {
  const problems: string[] = [];
  const plans = assistants.flatMap((assistant) => {
    // One that cannot be understood, and does not speak of memd, is none of its business.
    const { state, files } = assistantState(assistant, env, programs);
    if (state === 'unreadable' && files.length === 0) return [];
    const plan = attempt(() => planUninstall(assistant, env, programs), problems);
    return plan === null ? [] : [plan];
  });
  return { plans, problems };
}

function attempt<T>(work: () => T, problems: string[]): T | null {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    problems.push(error.message);
    return null;
  }
}

function removeBackup(file: string, problems: string[]): void {
  try {
    removeIfThere(file);
  } catch (error) {
    problems.push(`${file} cannot be removed: ${messageOf(error)}`);
  }
}

function pluginIn(env: Environment): string | null {
  for (const assistant of assistants) {
    const plugin = attempt(() => pluginOf(assistant, env), []);
    if (plugin !== null) return plugin.name;
  }
  return null;
}

function sorted(backups: readonly Backup[]): UninstallPlan['backups'] {
  const names = (isNeedless: boolean): string[] =>
    backups.filter((one) => one.isNeedless === isNeedless).map(({ file }) => file);
  return { removed: names(true), kept: names(false) };
}

function allOf({ workspaces, others }: Traces) {
  return [...workspaces.flatMap(({ traces }) => traces), ...others];
}
