/**
 * Memories outside the database: exports, restore files, imports, and what lies about of one that is forgotten.
 * Promises: what was exported comes back as it was, under its ids where they are free; nothing that is there is
 * overwritten or removed, and nothing is taken in unredacted; what is pruned is in a restore file, on the disk, before it
 * goes; what is forgotten is in no file of the workspace, nor quoted in one, or the file is named. Does not decide what
 * supersedes what.
 */
export { Archive } from './archive.ts';
export type { Forgotten } from './forget.ts';
export { type ImportStep, importAll, type Part, type Place, type TakenIn } from './import.ts';
export { exportLines } from './line.ts';
export { markdownLines } from './markdown.ts';
export { type Pruned, prunePlan } from './prune.ts';
export { oldRestoreFiles, removeOldRestoreFiles } from './restore-files.ts';
export { writeLines } from './whole-file.ts';
