/**
 * Finds the workspace of a folder, and its files.
 * Promises: hook, commands and daemon find the same folder for the same project; two projects never
 * share one. Writes only the private folders and the mark of an idle daemon. Starts no daemon.
 */
export { daemonPid } from './daemon-pid.ts';
export { everyWorkspace } from './every.ts';
export * from './identity.ts';
export { claimReturn, forgetIdle, isComingBack, markIdle, returnClaim } from './idle.ts';
export { ensureFolders, findWorkspace, layout } from './layout.ts';
export {
  configFile,
  type Environment,
  frontOf,
  homeOf,
  isNamespaceName,
  namespaceOf,
  type Workspace,
} from './paths.ts';
export { forgetPlace, recordedPlace, recordPlace } from './places.ts';
export { findRecordedWorkspace } from './recorded.ts';
export { leftRedirects, redirectPlace } from './redirects.ts';
export { formerRoot, workspaceRoot } from './root.ts';
