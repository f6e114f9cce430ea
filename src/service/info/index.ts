/**
 * What `memd info --json` says, with the daemon or without it.
 * Promises: one stable shape; counts are the database's own. Never starts anything, never writes.
 */

export { Backlog } from './backlog.ts';
export { conditions, type Figures, lineOf, reportedBy } from './conditions.ts';
export type { Condition, Severity, Told } from './finding.ts';
export { describeWorkspace, type Info, version } from './info.ts';
export { offlineInfo } from './offline.ts';
export { shownUsage } from './usage.ts';
