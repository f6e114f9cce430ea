import { removeIfThere } from '#core/platform';
import { type Environment, everyWorkspace, homeOf } from '#core/workspace';
import { lookAtEvery, stopEvery } from '#service/lifecycle';
import {
  assistantState,
  assistants,
  attempt,
  backupsNextTo,
  carryOut,
  diffOf,
  isEmpty,
  type Programs,
  planUninstall,
  pluginOf,
  preview,
} from '#surfaces/install';
import { type MemoryAmount, memoryIn } from './memory.ts';
import { type Data, orProblem, type Removed, removeTraces } from './remove.ts';
import { type Traces, tracesIn } from './traces.ts';

/** What was done, or would be done. */
export type UninstallReport = Readonly<Awaited<ReturnType<typeof uninstall>>>;

/**
 * Assistants first, so that no hook starts a daemon again; then daemons, then files. A failed step is reported and does not stop the
 * others. With `isPreview` nothing is changed, and the report says what would be done.
 */
export async function uninstall(env: Environment, programs: Programs, data: Data, isPreview: boolean) {
  const { plans, problems } = plansFor(env, programs);
  const plugin = pluginIn(env);
  const former = plans.flatMap(backupsNextTo);
  const changed = plans.flatMap((plan) => {
    if (isEmpty(plan)) return [];
    const files = attempt(() => (isPreview ? preview(plan) : carryOut(plan, env)), problems);
    if (files === null) return [];
    return [{ assistant: plan.assistant, files, diff: isPreview ? diffOf(plan) : '' }];
  });
  const left = plans.flatMap(backupsNextTo);
  if (!isPreview)
    for (const { file, isNeedless } of left)
      if (isNeedless) orProblem(problems, file, () => removeIfThere(file));
  const kept = isPreview ? left.filter(({ isNeedless }) => !isNeedless) : plans.flatMap(backupsNextTo);
  const backups = namesOf(kept);
  const home = homeOf(env);
  const daemons = await (isPreview ? lookAtEvery : stopEvery)(everyWorkspace(home));
  for (const { reason } of daemons) if (reason !== null) problems.push(reason);
  const traces = tracesIn(home);
  const memory = memoryIn(traces);
  const spared = daemons.filter(({ outcome }) => outcome === 'left').map(({ workspace }) => workspace.folder);
  const removed = isPreview ? wouldRemove(traces, data) : removeTraces(home, data, new Set(spared));
  const after = isPreview ? traces : tracesIn(home);
  return {
    assistants: changed,
    /** Backups of the assistants' files: `removed` ones have the text that the file has now. */
    backups: { removed: namesOf(former).filter((file) => !backups.includes(file)), kept: backups },
    daemons: daemons.filter(({ outcome }) => outcome !== 'not-running'),
    data,
    /** Before; `memoryLeft` is after. They differ only if it was deleted. */
    memory,
    memoryLeft: data === 'keep' ? memory : isPreview ? { ...memory, ...nothing } : memoryIn(after),
    /** Files of memd. */
    removed: removed.files,
    /** Other files below `~/.memd`. */
    foreign: after.foreign,
    /** Messages of failed steps. */
    problems: [...problems, ...removed.problems],
    /** The plugin's name in Claude Code, which only Claude Code can remove. */
    plugin,
  };
}

function wouldRemove({ workspaces, others }: Traces, data: Data): Removed {
  const all = [...workspaces.flatMap(({ traces }) => traces), ...others];
  const due = all.filter(({ worth }) => data === 'delete' || worth === 'running');
  return { files: namesOf(due), problems: [] };
}

const nothing = { projects: 0, memories: 0, unreadable: 0, bytes: 0 };

export function memoryOf(env: Environment): MemoryAmount {
  return memoryIn(tracesIn(homeOf(env)));
}

function plansFor(env: Environment, programs: Programs) {
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

function pluginIn(env: Environment): string | null {
  const plugins = assistants.map((assistant) => attempt(() => pluginOf(assistant, env), []));
  return plugins.find((plugin) => plugin !== null)?.name ?? null;
}

function namesOf(files: readonly { readonly file: string }[]): string[] {
  return files.map(({ file }) => file);
}
