/**
 * What can be wrong with a workspace, one check a file, each with its code, severity, sentence and repair.
 * Promises: looking changes nothing and shows no secret; mending is done only where it was asked for, with no daemon at
 * work where that matters, and what it says is mended has been looked at again. Does not watch: see the monitor.
 */
export type { Check, Finding, Fixed as Repaired, Subject } from './check.ts';
export { checks } from './checks.ts';
export { type Examined, examine } from './examine.ts';
