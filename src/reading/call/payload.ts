import * as v from 'valibot';
import { isMessageTool, type Json, type Payload } from '#core/event';

// `JSON.parse` gave the values, so they need no check.
const json = v.custom<Json>((value) => value !== undefined);

const nullableText = v.optional(v.nullable(v.string()), null);
const message = v.object({
  role: v.picklist(['user', 'assistant']),
  turnId: nullableText,
  agentId: nullableText,
});

const ended = v.object({
  by: nullableText,
  failed: v.nullable(v.boolean()),
  exitCode: v.nullable(v.number()),
  output: v.string(),
});

/** The fields of `payload_json`. Fields that older versions did not write have defaults. */
const schema = v.object({
  tool: v.string(),
  input: v.optional(json),
  output: v.optional(json),
  sessionId: v.optional(v.string(), ''),
  toolUseId: nullableText,
  ts: v.optional(v.string(), ''),
  client: v.optional(v.string(), 'unknown'),
  isError: v.optional(v.boolean(), false),
  cwd: nullableText,
  // Unreadable fields leave a call.
  message: v.optional(v.fallback(v.nullable(message), null), null),
  ended: v.optional(v.fallback(v.nullable(ended), null), null),
  unfinished: v.optional(v.fallback(v.boolean(), false), false),
  refused: v.optional(v.fallback(v.boolean(), false), false),
});

/** The payload in `payload_json`, or an error text. */
export function parsePayload(text: string): { payload: Payload } | { error: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { error: `malformed payload: ${String(error)}` };
  }
  const result = v.safeParse(schema, value);
  if (result.success) {
    const {
      input = null,
      output = null,
      message: fields,
      ended: end,
      unfinished,
      refused,
      ...rest
    } = result.output;
    const open = {
      ...(unfinished && { unfinished: true as const }),
      ...(refused && { refused: true as const }),
    };
    const payload = { ...rest, input, output, ...(end !== null && { ended: end }), ...open };
    const isMessage = fields !== null && isMessageTool(rest.tool, fields.role);
    return { payload: isMessage ? { ...payload, message: fields } : payload };
  }
  return { error: `malformed payload: ${result.issues[0].message}` };
}
