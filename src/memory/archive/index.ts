/**
 * Exports, restore files and imports, and the removal of a forgotten memory from every file of the workspace.
 * An import restores what was exported, under free ids, redacts it, and overwrites nothing. What a prune removes is in a
 * restore file on the disk first. A file that may still hold a forgotten memory is named to the caller.
 */
export { Archive } from './archive.ts';
export { authorIn, clean, eventsNamedBy } from './clean.ts';
export { chunksOf, copiesIn, forgetEvent } from './forget.ts';
export { type Imported, type ImportStep, importAll, type Part } from './import.ts';
export { archiveLines, exportLines, id, lineOf, rowOf, time } from './line.ts';
export { markdownLines } from './markdown.ts';
export { eventIn, joinKinds, type Kinds, redactPayload } from './payload.ts';
export { type Pruned, prunePlan } from './prune.ts';
export { newRestoreFile } from './restore-files.ts';
export { writeLines } from './whole-file.ts';
