/** Recall: what one call may be told of earlier ones, and how far back is looked for it. */

// The hook. It waits as long as a capture may take (`captureObservationBudgetMs`).
export const recallOutputCharsMax = 16_000;
export const recallInputCharsMax = 48_000;

// What is told: 150 tokens at 4 bytes each, the frame around it included.
export const recallMemoriesMax = 2;
export const recallBytesMax = 600;
export const recallCommandCharsMax = 110;
export const recallLineCharsMax = 130;
export const recallEditCharsMax = 180;
export const recallEditLinesMax = 4;

// Where it is looked for.
export const recallCandidatesMax = 24;
export const recallNeighboursMax = 60;
export const recallWordsMax = 5;
export const recallCallsAfterMax = 40;
export const recallFixWithinMs = 60 * 60_000;
export const recallRepeatMs = 60_000;
export const recallComplaintsMax = 12;
export const recallScanCharsMax = 12_000;
export const recallStepsMax = 24;

// What each session was told.
export const recallSessionsMax = 64;
export const recallToldMax = 256;
