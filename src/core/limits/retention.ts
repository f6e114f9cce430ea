/** What is kept for how long, and how gently the rest goes (store/retention, engine/retention, daemon/retention). */

// What is left of a payload. Of 20,772 real calls three arguments of four are shorter than this.
export const retainedTextCharsMax = 600;
export const retainedOutputCharsMax = 256;
export const retainedItemsMax = 32;
export const retainedInputCharsMax = 3_000;

// A step of shrinking; between two of them the thread is left to others for `retentionRestShare` times as long.
export const retentionStepRows = 32;
export const retentionRestShare = 4;
export const retentionRestMs = 50;
// Behind the first tick, and then once an hour: without anything to do it is two look-ups.
export const retentionDelayMs = 60_000;
export const retentionIntervalMs = 60 * 60_000;
// Over the limit, it shrinks down to this share of it, so that the next capture does not begin it anew.
export const retentionLowShare = 0.9;

// Giving space back: from so many free pages on, down to so many, which the next captures use.
export const vacuumFreePagesMin = 1_024;
export const vacuumFreeShareMin = 0.05;
export const vacuumKeptPages = 256;
export const vacuumStepPages = 64;
export const vacuumBytesPerSecondMax = 4 * 1024 * 1024;
// A database of an older schema is written anew once, at the migration that copies it anyway; a larger one keeps its free pages for new rows.
export const vacuumAtMigrationBytesMax = 256 * 1024 * 1024;
// SQLite's log is cut back to this when it has been larger.
export const sqliteLogBytesMax = 16 * 1024 * 1024;
