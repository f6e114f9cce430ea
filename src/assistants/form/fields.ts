import * as v from 'valibot';
import type { Json, JsonObject } from '../../core/event/index.ts';

/** A text, or null when it is missing or of another type: an optional field never loses its event. */
export const text = v.fallback(v.nullable(v.string()), null);

/** An id: a text that is not empty, or a number as text. Not a number that JSON.parse rounded: it may be two ids. */
export const id = v.fallback(
  v.nullable(
    v.union([
      v.pipe(v.string(), v.nonEmpty()),
      v.pipe(
        v.number(),
        v.check((value) => Math.abs(value) <= Number.MAX_SAFE_INTEGER),
        v.transform((value) => String(value)),
      ),
    ]),
  ),
  null,
);

/** Any JSON, undefined when it is missing. */
export const json = v.optional(v.custom<Json>((value) => value !== undefined));

/** A name that the shape requires. */
export const name = v.pipe(v.string(), v.nonEmpty());

/** `value` in the shape of `schema`, or null. Unknown fields are dropped. */
export function shaped<Schema extends v.GenericSchema>(
  schema: Schema,
  value: Json,
): v.InferOutput<Schema> | null {
  const result = v.safeParse(schema, value);
  return result.success ? result.output : null;
}

/** `object` without the named keys. */
export function without(object: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** The words of an error field: a string, an object with a message, or the JSON of anything else. */
export function errorText(error: Json): string {
  if (typeof error === 'string') return error;
  return shaped(v.object({ message: name }), error)?.message ?? JSON.stringify(error);
}

/** The texts of content blocks (`[{type: 'text', text}, ...]` or `[{text}]`) as one text; else the value itself. */
export function blocksText(content: Json): Json {
  const blocks = shaped(v.array(v.object({ text: v.string() })), content);
  return blocks === null || blocks.length === 0 ? content : blocks.map((block) => block.text).join('\n');
}
