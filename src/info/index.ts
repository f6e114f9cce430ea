/**
 * What `memd info --json` says, with the daemon or without it.
 * Promises: one stable shape; counts are the database's own. Never starts anything, never writes.
 */
export { describeWorkspace, type Info, version } from './info.ts';
export { offlineInfo } from './offline.ts';
export { type ShownUsage, shownUsage } from './usage.ts';
