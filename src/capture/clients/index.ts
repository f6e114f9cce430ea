/**
 * What each assistant sends, turned into an `Observation`: its hooks' payloads, and its transcripts with what the user
 * typed, which it finds where each assistant leaves them.
 * Promises: no payload throws and no post-tool payload is dropped silently (an unknown shape is kept whole);
 * a call has the same identity live and from a transcript wherever the client tells its call id in both;
 * a transcript is read in bounded memory. Does not redact, cut long texts, give ids or talk to the daemon.
 */
export { adapt } from './adapt.ts';
export type { Context, Ignored } from './client.ts';
export { findTranscripts } from './folders.ts';
export { type Found, findSessions } from './places/find.ts';
export { readTranscript, type TranscriptItem, type TranscriptReport } from './transcript.ts';
