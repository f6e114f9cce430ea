/**
 * The plan of a session as its calls state it: steps, their status, how many are done.
 * A plan with missing tasks has no state. A step that only runs checks counts as done once they pass.
 */
export * from './task.ts';
