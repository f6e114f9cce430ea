/**
 * Which workspace is meant, and where its files lie.
 * Promises: hook, commands and daemon find the same folder for the same project; two projects never
 * share one. Reads the folder tree, writes nothing but the private folders themselves and the mark of a
 * daemon that left because it was idle; it starts none.
 */
export { daemonPid } from './daemon-pid.ts';
export { everyNamespace, everyWorkspace } from './every.ts';
export { claimReturn, forgetIdle, isComingBack, markIdle, returnClaim } from './idle.ts';
export { ensureFolders, findWorkspace, layout } from './layout.ts';
export { type Environment, homeOf, type Workspace } from './paths.ts';
export { findRecordedWorkspace } from './recorded.ts';
export { leftRedirects, redirectPlace } from './redirects.ts';
export { formerRoot, workspaceRoot } from './root.ts';
