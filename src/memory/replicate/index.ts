/**
 * The memory's side of a sync: which rows wait to be sent, and what other devices' rows do here.
 * Promises: an import is idempotent and overwrites nothing of this memory's own; what was forgotten here never returns; a row that comes in
 * is checked, within limits and without secrets.
 */
export { eventsOf, syncRowOf } from './line.ts';
export { type Removed, Replica, type SegmentRows } from './replica.ts';
export { carryOut, type SyncStep, syncStep } from './step.ts';
