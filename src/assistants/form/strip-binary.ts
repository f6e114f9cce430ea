import { isObject, type Json, type JsonObject, own } from '#core/event';
import { payloadDepthMax } from '#core/limits';

/** Shorter base64 is kept: it might be a word. */
const base64CharsMin = 256;

/**
 * `value` with notes of type and size in place of base64 images and other binary data, and a note in place of what
 * is nested deeper than `payloadDepthMax`, so that later walks end.
 */
export function stripBinary(value: Json): Json {
  return walk(value, 0);
}

function walk(value: Json, depth: number): Json {
  if (typeof value === 'string') return withoutDataUrls(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= payloadDepthMax) return `[nested deeper than ${payloadDepthMax} levels, not stored]`;
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => walk(item, depth + 1));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  return isObject(value) ? walkObject(value, depth) : value;
}

/** The same object when nothing in it changes, which is nearly always. */
function walkObject(value: JsonObject, depth: number): JsonObject {
  let changed = false;
  const entries = Object.entries(value).map(([key, item]): [string, Json] => {
    const kept = binaryNote(value, key, item) ?? walk(item, depth + 1);
    changed ||= kept !== item;
    return [key, kept];
  });
  return changed ? Object.fromEntries(entries) : value;
}

/** The fields that hold binary data: MCP and Anthropic `data`, MCP `blob`, Claude Code's Read `base64`. */
const binaryKeys = new Set(['data', 'blob', 'base64']);

function binaryNote(holder: JsonObject, key: string, item: Json): string | null {
  if (!binaryKeys.has(key) || typeof item !== 'string' || item.length < base64CharsMin) return null;
  const type = mediaType(holder);
  if (type === null || !/^[A-Za-z0-9+/_=\s-]+$/.test(item)) return null;
  return note(type, item.length);
}

function mediaType(holder: JsonObject): string | null {
  for (const key of ['mimeType', 'media_type', 'mime_type', 'mime', 'type']) {
    const value = own(holder, key);
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

function withoutDataUrls(text: string): string {
  if (!text.includes(';base64,')) return text;
  return text.replace(
    // Inline source maps have a character set between the two.
    /data:([\w.+-]{1,64}\/[\w.+-]{1,64})(?:;[\w.+=-]{1,64}){0,4};base64,([A-Za-z0-9+/_=-]+)/g,
    (whole, type: string, data: string) => (data.length < base64CharsMin ? whole : note(type, data.length)),
  );
}

function note(type: string, chars: number): string {
  return `[${type}, ${Math.floor((chars * 3) / 4)} bytes of base64, not stored]`;
}
