/** What the boundary enforcer and the guard look at, and for how long. */

export const scopeBytesMax = 1024 * 1024;
// As the system itself (path_resolution(7)).
export const boundaryLinksMax = 40;
export const boundaryEntriesMax = 5_000;
export const boundaryLookMs = 300;
export const boundaryDecideMs = 1_000;
export const patchFileBytesMax = 4 * 1024 * 1024;
export const boundaryBudgetMs = 1_500;
// Three wildcards on the longest path take some milliseconds, four can take minutes.
export const globPartsPlainMax = 3;
export const globWorkMs = 400;
export const shellStepsMax = 20_000;
export const shellDepthMax = 24;
export const shellWordsMax = 10_000;
export const shellAlternativesMax = 1_024;
// The parser's time grows with the square of how deep substitutions are nested: 5,000 take some 40 ms.
export const shellSubstitutionsMax = 5_000;
export const shellFoldersMax = 4;
// The words that a line is expanded to and the paths found in them, of all its commands together.
export const shellPiecesMax = 50_000;
// No longer argument is taken by Linux (MAX_ARG_STRLEN, execve(2)).
export const shellWordCharsMax = 128 * 1024;
// What is run as a text by the line itself (`sh -c`, `eval`), all of it together.
export const shellTextCharsMax = 1024 * 1024;
export const shellLinksMax = 256;
// A pattern with more stars may take a regular expression long.
export const patternStarsMax = 4;
