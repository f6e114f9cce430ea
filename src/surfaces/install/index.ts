/**
 * Adds memd to the user's own settings of an assistant, removes it, and reports the state.
 * It never writes to a repository. Other content of a file stays byte by byte, and removal restores the file exactly. A file that
 * it cannot parse is reported and not changed. It does not run the assistants.
 */

export { type Assistant, assistantNames, assistants, findAssistant } from './assistants.ts';
export { type Candidate, candidatesOf } from './candidates.ts';
export * from './install.ts';
export { notesFor, pluginOf } from './notes.ts';
export type { Options, Setup } from './part.ts';
export { ownPrograms, type Programs } from './programs.ts';
export * from './state.ts';
