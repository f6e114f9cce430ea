import * as v from 'valibot';
import type { Json, Payload } from '../../core/event/index.ts';

// `JSON.parse` gave the values, so they need no check.
const json = v.custom<Json>((value) => value !== undefined);

/** The fields of `payload_json`. Fields that older versions did not write have defaults. */
const schema = v.object({
  tool: v.string(),
  input: v.optional(json),
  output: v.optional(json),
  sessionId: v.optional(v.string(), ''),
  toolUseId: v.optional(v.nullable(v.string()), null),
  ts: v.optional(v.string(), ''),
  client: v.optional(v.string(), 'unknown'),
  isError: v.optional(v.boolean(), false),
  cwd: v.optional(v.nullable(v.string()), null),
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
    const { input = null, output = null } = result.output;
    return { payload: { ...result.output, input, output } };
  }
  return { error: `malformed payload: ${result.issues[0].message}` };
}
