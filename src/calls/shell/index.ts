/**
 * A shell command as its steps: what runs, without folder changes, redirections and options that only change how output looks.
 * Reads text only; runs and resolves nothing.
 */
export { readCommand, type ShellCommand } from './command.ts';
export { reasonIn } from './commit-message.ts';
export { placeOf } from './place.ts';
export type { Step, Steps } from './steps.ts';
