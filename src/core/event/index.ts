/**
 * What a captured tool call is: its shape, its identity, its limits. Pure: no files, no clock.
 * Promises: the same call reported twice has one id; no text in an event is longer than the limit, and a cut
 * says so. Does not redact: see `redact/`.
 */
export { cutJson, cutMark, cutText, cutToLimits, leftOutMark, withoutMiddle } from './cut.ts';
export * from './event.ts';
export { boundedId, identify } from './identity.ts';
export * from './json.ts';
export { escapedJson, jsonText } from './json-text.ts';
export { withoutTerminalSequences } from './terminal.ts';
export { type ToolFamily, toolFamily } from './tool-family.ts';
export { addStretch, type Stretch, workApart, workMsIn } from './work.ts';
