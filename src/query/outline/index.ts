/**
 * The outline for a new session: pinned memories, the end of the last session, and failures that have not passed
 * since.
 * It stays within its token budget, has ids to look up, and fences recorded data. Recorded text is one line per entry
 * and cannot close the fence, open a tag or hide characters. Uses no search and no model.
 */
export { type OutlineRequest, outline, outlined } from './outline.ts';
export { plainLine } from './plain-line.ts';
