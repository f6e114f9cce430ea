import { isObject, type Json } from '../../core/event/index.ts';

export interface Room {
  /** The most characters of a text. */
  readonly chars: number;
  /** The most values in all. */
  values: number;
}

const rest = '[... the rest was cut by memd ...]';

/**
 * A payload within `room`, which it uses up: the hook must redact within its budget. Only the beginning of a text is kept: its
 * end may be inside a private block. The note is on the same line, so that an open quote still covers the rest.
 */
export function shorten(value: Json, room: Room): Json {
  room.values -= 1;
  if (typeof value === 'string') {
    return value.length <= room.chars ? value : `${wholeWords(value, room.chars)} ${rest}`;
  }
  if (Array.isArray(value)) {
    const kept: Json[] = [];
    for (const item of value) {
      if (room.values <= 0) return [...kept, rest];
      kept.push(shorten(item, room));
    }
    return kept;
  }
  if (!isObject(value)) return value;
  const kept: [string, Json][] = [];
  for (const key in value) {
    if (room.values <= 0) {
      kept.push([rest, rest]);
      break;
    }
    const item = Object.hasOwn(value, key) ? value[key] : undefined;
    if (item !== undefined) kept.push([key, shorten(item, room)]);
  }
  return Object.fromEntries(kept);
}

/** The whole words and values before `limit`: no rule knows half a token. */
function wholeWords(text: string, limit: number): string {
  let end = limit;
  while (end > 0 && /[^\s"'`,;{}<>()[\]|&]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
