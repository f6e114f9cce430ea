/**
 * A shell command as its steps, programs, here-documents and commit message. `unbash` parses it, for all readers.
 * Reads text only: it runs nothing and resolves no path.
 */
export { readCommand, type ShellCommand } from './command.ts';
export { reasonIn } from './commit-message.ts';
export { folderOf, folderOfStep } from './folder.ts';
export { withoutLead } from './lead.ts';
export { onlyLooks } from './looks.ts';
export { readScript } from './script.ts';
export type { Step, Steps } from './steps.ts';
export { formatters, placeIn, scriptRunners } from './verifies.ts';
