/**
 * Recorded text as a reader gets it: without what is not seen, on one line, within a length.
 * Promises: no character is split; what a script or an emoji needs stays. Does not know what a text is about (see `reading/text`), nor
 * redacts it.
 */
export { authorCharsMax, authorName } from './author.ts';
export { clipped, harmless, oneLine } from './visible.ts';
