/**
 * What of a call or a message can be compared with the project later: the lines that an edit added, how a run ended, the files that a
 * message names. Lines are hashes. It is stored with the memory, so that a search parses no payload.
 */
export * from './comparable.ts';
