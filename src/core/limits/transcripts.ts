/** Where assistants leave their transcripts, and what of them is one call (clients/places, store/twins). */

// What is read of a file to tell whose it is: Codex begins with a record of some 25 KB, a long one with a few hundred.
export const headBytesMax = 1024 * 1024;
export const ownerBytesMax = 1024 * 1024;
// Files of one folder that are asked where they were written, before the folder counts as another project's.
export const folderProbesMax = 3;
export const placeDepthMax = 8;
export const opencodeCopyTriesMax = 3;

// The same call from a hook and from a transcript: so far apart at most, with any output, and with the same one.
export const twinNearMs = 10_000;
export const twinFarMs = 10 * 60_000;
export const twinSkewMs = 1_000;
export const twinCandidatesMax = 64;
export const twinRebuildRows = 200;
