/**
 * A stored call in one shape for every assistant: arguments by name, the output as text, how it ended.
 * Every payload gives a call, in time linear in its size. This room does not decide what the call means.
 */
export * from './call.ts';
export { familyOf, patchText } from './family.ts';
export { once } from './once.ts';
export { parsePayload } from './payload.ts';
export { type Result, refusalReason, saysRefused, textOf } from './result.ts';
export { endOf, reportsEnds, startedTask, type TaskEnd } from './task-end.ts';
