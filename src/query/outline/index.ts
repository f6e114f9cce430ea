/**
 * What a session is given without asking: the outline at its start, and the handoff after a compaction or on request.
 * The outline says in this order: focus, pinned memories, the last sessions, open work, how the project is checked, failures that
 * `calls/checks` holds open, and obstacles. Both stay within their token budget, have ids to look up, and fence recorded data. Recorded
 * text is one line per entry and cannot close the fence, open a tag or hide characters. A goal is left out rather than cut.
 * Uses no search and no model. What a session start will ask for is gathered before: giving it reads no event.
 */
export { type HandoffRequest, handoff, handoffTokens } from './handoff.ts';
export type { OutlineRequest } from './outline.ts';
export { plainLine } from './plain-line.ts';
export { PreparedOutlines } from './prepared.ts';
