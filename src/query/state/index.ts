/**
 * Whether a memory still holds in the working tree: `current`, `changed`, `gone` or `unknown`, with the reason in words.
 * Promises: answers within 50 ms for 10 memories, else `unknown`; reads regular files of the workspace only and writes nothing, git's
 * index included; no setting of the repository starts a program; nothing is called wrong.
 */
export { commitsOf } from './commits.ts';
export type { CommitName } from './git-output.ts';
export { type OpenFiles, openOf } from './open-files.ts';
export type { State, StateVerdict } from './shapes.ts';
export { Standings } from './standing.ts';
export { notInTime, States, stateBudgetMs } from './states.ts';
