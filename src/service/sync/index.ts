/**
 * `memd sync`: the memory of a project on several devices, through a git remote. For commands.
 * Promises: a clone of its own, never the user's repository or its settings; no connection before `memd sync init`; a push replaces no
 * other device's segment; nothing that comes from the remote stops the sync or is taken unchecked; what waits stays until it is sent.
 */
export { initSync } from './init.ts';
export { authorOf, branchOf, forgetSecretPaths, namedAuthor, readRecord, syncFolder } from './record.ts';
export { type SyncStatus, syncObstacle, syncStatus } from './status.ts';
export { type Direction, mustHaveRecord, type Synced, type SyncOptions, sync } from './sync.ts';
