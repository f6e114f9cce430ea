/**
 * What a new session is told of the former ones: pinned memories, how the last session went, what failed and has not passed since.
 * Promises: within its budget of tokens; ids to look up by; fenced as recorded data, one line an entry, in which no recorded
 * text can close the fence, open a tag or hold anything that is not seen. Does not search, and uses no model.
 */
export { type OutlineRequest, outline } from './outline.ts';
export { plainLine } from './plain-line.ts';
