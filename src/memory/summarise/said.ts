import { isObject, type Json, own, parseJson } from '#core/event';

/**
 * The list under `name` in a model's answer, or null. Skips prose and fences around the JSON: not every runtime enforces the
 * schema.
 */
export function entriesIn(content: string, name: string): readonly Json[] | null {
  const said = content.replace(/<think>[\s\S]*?<\/think>/, '').trim();
  for (const candidate of candidates(said)) {
    const value = parseJson(candidate);
    const list = isObject(value) ? own(value, name) : value;
    if (Array.isArray(list)) return list;
    // A model that is asked about one event may answer with the entry alone.
    if (isObject(value) && idOf(value) !== null) return [value];
  }
  return null;
}

/** The `id` of an entry of such a list, or null. */
export function idOf(entry: Json): number | null {
  const id = isObject(entry) ? own(entry, 'id') : undefined;
  if (typeof id === 'number') return Number.isInteger(id) ? id : null;
  return typeof id === 'string' && /^\d{1,6}$/.test(id) ? Number(id) : null;
}

function candidates(said: string): readonly string[] {
  // White space only within a line: models can write endless blank lines, and each would be tried as a start.
  const block = /```(?:json)?[^\S\n]*\n([\s\S]*?)\n[^\S\n]*```/.exec(said)?.[1];
  const object = said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1);
  const array = said.slice(said.indexOf('['), said.lastIndexOf(']') + 1);
  return block === undefined ? [said, object, array] : [said, block, object, array];
}
