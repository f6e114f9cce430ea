import { isObject, type Json, type JsonObject, own, stringAt } from '#core/event';
import { blocksText, type Payload, readHookCall, readHookMessage, without } from '../form/index.ts';

/** What memd's extension reports: Claude Code's events with Pi's results, and the id of a message (recorded with 0.73.1). */
export const payload: Payload = {
  recognises: (payload) => stringAt(payload, 'transcript_path')?.includes('/.pi/agent/') ?? false,
  read: (payload) =>
    readHookMessage(payload) ?? readHookCall(payload, (result) => ({ output: piResult(result) })),
};

/** A result `{content, details}`: its text, with the details that a tool gives (the diff of an edit). */
export function piResult(result: Json | undefined): Json | undefined {
  if (!isObject(result)) return result;
  const content = blocksText(own(result, 'content') ?? '');
  const details: Json = own(result, 'details') ?? {};
  const more: JsonObject = isObject(details) ? without(details, 'fullOutputPath', 'truncation') : { details };
  return Object.keys(more).length === 0 ? content : { content, ...more };
}
