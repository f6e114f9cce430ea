/**
 * What a session is given without asking: the outline at its start, and the handoff after a compaction or on request.
 * The outline says in this order: focus, pinned memories, the last sessions, open work, how the project is checked, failures that
 * `reading/checks` holds open, and obstacles. Both print accounts of sessions, stay within their token budget, have ids to look up, and fence
 * recorded data. Recorded text is one line per entry and cannot close the fence, open a tag or hide characters. A goal is left out rather
 * than cut. Uses no search and no model: what is gathered is plain data, and states, git and ages come in when it is printed.
 */

export { gatherHandoff, type HandoffRequest, handoffTokens, printedHandoff } from './handoff.ts';
export { lookUp } from './look-up.ts';
export { gather, type OutlineRequest, printed } from './outline.ts';
export { plainLine } from './plain-line.ts';
export { PreparedOutlines } from './prepared.ts';
export { projectChecks } from './project.ts';
export { recipeFor } from './recipe.ts';
