/**
 * What `memd doctor` checks in a workspace: each check has a code, a severity, a sentence and a repair.
 * A check changes nothing and shows no secret. A repair runs only on request, with the daemon stopped where it must be, and
 * counts as done only when its check finds nothing any more. This room does not watch over time: see the monitor.
 */
export type { Check, Finding, Fixed, Subject } from './check.ts';
export { checks } from './checks.ts';
export { type Examined, examine } from './examine.ts';
export { size } from './words.ts';
