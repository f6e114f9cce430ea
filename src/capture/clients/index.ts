/**
 * Turns the assistants' hook payloads and transcripts into observations, and finds the transcripts.
 * Promises: no payload throws, and an unknown one is kept whole; a call has the same identity live and from a
 * transcript if the client has its call id in both; a transcript is read in bounded memory.
 * Does not redact, cut long texts, give ids or talk to the daemon.
 */
export { adapt } from './adapt.ts';
export { type FoundTranscripts, findSessions, findTranscripts } from './find-sessions.ts';
export type { Context } from './observe.ts';
export { readTranscript, type TranscriptItem, type TranscriptReport } from './transcript.ts';
export { type TranscriptNotice, transcriptNotice } from './transcript-notice.ts';
export { folderOf, readTail } from './transcript-tail.ts';
