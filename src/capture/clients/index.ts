/**
 * Turns each assistant's hook payloads and transcripts into observations, and finds the transcripts.
 * Promises: no payload throws, and an unknown one is kept whole; a call has the same identity live and from a
 * transcript if the client has its call id in both; a transcript is read in bounded memory.
 * Does not redact, cut long texts, give ids or talk to the daemon.
 */
export { adapt } from './adapt.ts';
export type { Context, Ignored } from './client.ts';
export { findTranscripts } from './folders.ts';
export { findSessions } from './places/find.ts';
export { findOpencode } from './places/opencode.ts';
export type { FoundTranscripts } from './places/place.ts';
export { readTranscript, type TranscriptItem, type TranscriptReport } from './transcript.ts';
export { type TranscriptNotice, transcriptNotice } from './transcript-notice.ts';
export { folderOf, readTail } from './transcript-tail.ts';
