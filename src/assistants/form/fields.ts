import { isObject, type Json, type JsonObject, own, stringAt } from '#core/event';

/** The first of these keys that has an id: a text that is not empty, or a number as text. Not one that JSON.parse rounded: it may be two ids. */
export function idAt(object: JsonObject, ...keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = own(object, key);
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return String(value);
  }
  return null;
}

/** Session, time and folder, under the names that hooks give them. */
export function whereIn(payload: JsonObject) {
  return {
    sessionId: idAt(payload, 'sessionId', 'conversation_id', 'session_id'),
    ts: own(payload, 'timestamp'),
    cwd: stringAt(payload, 'cwd') ?? null,
  };
}

/** `object` without the named keys. */
export function without(object: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** `object` without the named keys, for a result under an unknown name; empty when nothing is left. */
export function unnamed(object: JsonObject, ...keys: readonly string[]): Json {
  const rest = without(object, ...keys);
  return Object.keys(rest).length === 0 ? '' : rest;
}

/** What is between `open` and `close`, where the text begins and ends so; else the value itself. */
export function between(open: string, said: Json, close: string): Json {
  if (typeof said !== 'string' || !said.startsWith(open) || !said.endsWith(close)) return said;
  return said.slice(open.length, said.length - close.length);
}

/** The words of an error field: a string, an object with a message, or the JSON of anything else. */
export function errorText(error: Json): string {
  if (typeof error === 'string') return error;
  return (isObject(error) && stringAt(error, 'message')) || JSON.stringify(error);
}

/** The texts of content blocks (`[{type: 'text', text}, ...]` or `[{text}]`) as one text; else the value itself. */
export function blocksText(content: Json): Json {
  if (!Array.isArray(content) || content.length === 0) return content;
  const texts = content.map((block: Json) => (isObject(block) ? stringAt(block, 'text') : undefined));
  return texts.includes(undefined) ? content : texts.join('\n');
}

/** The event's name under the clients' names for it (the last two are Cline's and Windsurf's). */
export function eventName(payload: JsonObject): string | undefined {
  return (
    stringAt(payload, 'hook_event_name') ??
    stringAt(payload, 'hookEventName') ??
    stringAt(payload, 'hookName') ??
    stringAt(payload, 'agent_action_name')
  );
}
