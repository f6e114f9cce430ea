/**
 * What an editing call changes: files, hunks of added and removed lines, and the symbols in them.
 * Reads the call only, not the file on disk.
 */
export { changesIn, changesToShow, type FileChange, patchChanges, wholeChangesIn } from './changes.ts';
export { type Hunk, sizeOf } from './diff.ts';
export { type Lasting, lastingLines, lineHash, plainLine } from './lasting.ts';
export { type DiffLine, lineDiff } from './line-diff.ts';
export { addPlace, type Place, placeOf, sizeOfPlaces } from './places.ts';
export { type FileDiff, fileDiff } from './shown.ts';
export { comment, commentRest, declared, enclosing, outline } from './symbols.ts';
