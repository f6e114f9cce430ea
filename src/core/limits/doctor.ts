/** From where on something is told of as amiss (health, info). Spec 8 where it says so. */

// Spec 8: embeddings this far behind summaries, payloads this long on the average, and a young database this large.
export const embeddingLagMax = 100;
export const payloadCharsAverageMax = 50_000;
export const youngDatabaseBytesMax = 1024 * 1024 * 1024;
export const youngDays = 365;
// The average is that of the last calls: what is captured now, at the cost of reading so many payloads.
export const overCaptureSampleRows = 2_000;

// The volume of ~/.memd. A migration and a scrub write the database a second time.
export const diskFreeBytesMin = 512 * 1024 * 1024;
export const diskFreeInodesMin = 1_000;

// A model has so long to say that it is there, and the daemon to tell its state.
export const doctorReachMs = 2_000;
export const doctorInfoMs = 5_000;

// A clock: times further ahead than this are not those of calls that are just being made.
export const clockAheadMsMax = 10 * 60_000;
export const clockGapDaysMax = 5 * 365;

// A repair can bring up what it hid: so often it is looked again, and mended.
export const doctorRoundsMax = 3;
// Of a list that can be long, so many are named.
export const doctorNamesMax = 5;
// Workspaces that are looked at for a project that is gone.
export const doctorWorkspacesMax = 1_000;
// A log that rotates at a size has gone wrong at so many times that size.
export const doctorLogTimesMax = 2;
// Of the spool's room, what counts as nearly full.
export const spoolFullShare = 0.9;
