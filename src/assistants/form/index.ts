/**
 * What the folders of assistants share: the shapes of their parts, and readers of what several of them write.
 * Promises: no reader throws on any payload or record; a file is read in bounded memory. Knows no table: `table` does.
 */
export * from './assistant.ts';
export * from './before.ts';
export * from './below.ts';
export * from './by-name.ts';
export * from './fields.ts';
export * from './file.ts';
export { geminiResult } from './gemini-result.ts';
export * from './head.ts';
export { postToolUse, readHookCall } from './hook-call.ts';
export { readHookMessage, summaryIn } from './hook-message.ts';
export * from './install.ts';
export * from './lines.ts';
export type { Noise } from './noise.ts';
export { opencodeBefore } from './opencode/before.ts';
export { opencodeInstall } from './opencode/install.ts';
export { opencodePayload } from './opencode/payload.ts';
export { opencodePlaces } from './opencode/places.ts';
export { opencodeTranscripts } from './opencode/transcripts.ts';
export * from './other-events.ts';
export { parsedJson } from './parsed-json.ts';
export * from './pending.ts';
export * from './place.ts';
export * from './plugin.ts';
export * from './reported.ts';
export { quoted, unquoted } from './shell-words.ts';
export { stripBinary } from './strip-binary.ts';
export * from './task-notice.ts';
