/** Anything that JSON can say. Parsed input has this type until a schema has looked at it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON value of `text`; undefined when it is not JSON, or not all of it yet. */
export function parseJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** Arguments that arrive as JSON text, parsed; a text that only begins like JSON (`{ a; }`) and any other value as it is. */
export function parsedArguments(value: Json | undefined): Json {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return value ?? null;
  return parseJson(value) ?? value;
}

/** `text` as a JSON object; null when it is not one. */
export function parseObject(text: string): JsonObject | null {
  const value = parseJson(text);
  return isObject(value) ? value : null;
}

/** The string at `key`, or undefined. */
export function stringAt(object: JsonObject, key: string): string | undefined {
  const value = own(object, key);
  return typeof value === 'string' ? value : undefined;
}

/** The object at `key`, or undefined. */
export function objectAt(object: JsonObject, key: string): JsonObject | undefined {
  const value = own(object, key);
  return isObject(value) ? value : undefined;
}

/** The objects in the list at `key`; none where there is no list. */
export function objectsAt(object: JsonObject, key: string): readonly JsonObject[] {
  const value = own(object, key);
  return Array.isArray(value) ? value.filter((item: Json) => isObject(item)) : [];
}

/** The value at an own key, so that `__proto__` and kin in captured data stay data. */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
