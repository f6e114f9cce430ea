/** What the boundary enforcer and the guard look at, and for how long. */

export const scopeBytesMax = 1024 * 1024;
// As the system itself (path_resolution(7)).
export const boundaryLinksMax = 40;
export const boundaryEntriesMax = 5_000;
export const boundaryLookMs = 300;
export const patchFileBytesMax = 4 * 1024 * 1024;
export const boundaryBudgetMs = 1_500;
export const shellStepsMax = 5_000;
export const shellDepthMax = 24;
export const shellWordsMax = 256;
export const shellFoldersMax = 4;
