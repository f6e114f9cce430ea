import * as v from 'valibot';
import { isObject, type Json, own, type ToolEvent } from '#core/event';
import { messageIn } from '#memory/store';
import { redact, redactObservation } from '#redact/engine';

export type Kinds = Readonly<Record<string, number>>;

/** A stored payload redacted as capture does it, with its keys in their order; other JSON value by value: that is no event. */
export function redactPayload(value: Json) {
  // A stored payload is an event without its id.
  const event = eventIn(isObject(value) ? { ...value, id: '' } : value);
  if (event === null || !isObject(value)) return { ...redact(value), event: null };
  const { value: clean, kinds, redactions } = redactObservation(event);
  const { tool, input, output, sessionId, toolUseId, cwd } = clean;
  const texts = { tool, input, output, sessionId, toolUseId, cwd };
  // Other keys, such as how the work ended that a call has started. The texts keep their places.
  const holes = Object.fromEntries(Object.keys(texts).map((key) => [key, null]));
  const others = redact({ ...value, ...holes });
  return {
    value: isObject(others.value) ? { ...others.value, ...texts } : others.value,
    kinds: joinKinds(kinds, others.kinds),
    redactions: redactions + others.redactions,
    event: { ...event, ...clean },
  };
}

const json = v.custom<Json>((value) => value !== undefined);
const shape = v.object({
  ...{ id: v.string(), tool: v.string(), input: json, output: json, sessionId: v.string() },
  toolUseId: v.nullable(v.string()),
  ...{ ts: v.string(), client: v.optional(v.string(), 'unknown'), isError: v.boolean() },
  cwd: v.nullable(v.string()),
});

/** The event in a JSON value, its keys in their order, which callers compare; null if the value has another shape. */
export function eventIn(value: Json | undefined): ToolEvent | null {
  const read = v.safeParse(shape, value);
  if (!isObject(value) || !read.success) return null;
  const message = messageIn(value);
  if (message === undefined && own(value, 'message') !== undefined) return null;
  return { ...value, ...read.output, ...(message && { message }) };
}

export function joinKinds(a: Kinds, b: Kinds): Kinds {
  const joined: Record<string, number> = { ...a };
  for (const [kind, count] of Object.entries(b)) joined[kind] = (joined[kind] ?? 0) + count;
  return joined;
}
