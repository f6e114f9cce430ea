/**
 * The object of `memd info --json`, with the daemon or without it.
 * Promises: one stable shape; the counts come from the database. Never starts a process and never writes.
 */

export type { Used } from '#query/receipts';
export { Backlog } from './backlog.ts';
export * from './conditions.ts';
export { connectedIn } from './connected.ts';
export { describeWorkspace, type Info } from './info.ts';
export { offlineInfo } from './offline.ts';
export { shownUsage } from './usage.ts';
