import { payloadCharsMax, textCharsMax } from '../limits.ts';
import type { Observation } from './event.ts';
import { isObject, type Json } from './json.ts';

/**
 * An observation whose every text is at most `textCharsMax` characters and whose payload is at most
 * `payloadCharsMax`: the middle is cut, since the beginning says what it was and the end how it ended, and
 * the text says how much is gone.
 */
export function cutToLimits(observation: Observation): Observation {
  let limit = textCharsMax;
  let cut = cutBoth(observation, limit);
  // Many long texts: halve the allowance until the whole fits.
  while (!fits(cut)) {
    if (limit <= 64) return cutWhole(cut);
    limit = Math.floor(limit / 2);
    cut = cutBoth(observation, limit);
  }
  return cut;
}

/** Very many values, or long keys: the payload is kept as one cut text. */
function cutWhole(cut: Observation): Observation {
  const whole = { input: JSON.stringify(cut.input), output: JSON.stringify(cut.output) };
  for (let limit = textCharsMax; ; limit = Math.floor(limit / 2)) {
    const texts = { input: cutText(whole.input, limit), output: cutText(whole.output, limit) };
    if (limit <= 64 || fits(texts)) return { ...cut, ...texts };
  }
}

function fits({ input, output }: Pick<Observation, 'input' | 'output'>): boolean {
  return JSON.stringify([input, output]).length <= payloadCharsMax;
}

/** `text` within `limit` characters (at least 64), its middle replaced by a note that counts what is gone. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const kept = Math.max(0, limit - noteCharsMax);
  const head = Math.ceil(kept * 0.7);
  return withoutMiddle(text, head, kept - head);
}

/**
 * The first `head` and the last `tail` characters of `text`, and between them a note that counts the others, with
 * those that notes among them count. `keep` picks what stays of the middle. Never splits a surrogate pair.
 */
export function withoutMiddle(
  text: string,
  head: number,
  tail: number,
  keep: (middle: string) => string = () => '',
): string {
  if (text.length <= head + tail + noteCharsMax) return text;
  const start = text.slice(0, isHighSurrogate(text, head - 1) ? head - 1 : head);
  const from = text.length - tail;
  const end = text.slice(isHighSurrogate(text, from - 1) ? from + 1 : from);
  const middle = text.slice(start.length, text.length - end.length);
  let count = middle.length;
  for (const [note, before] of middle.matchAll(notePattern)) count += Number(before) - note.length;
  return `${start}${noteOf(Math.min(count, countMax))}${keep(middle)}${end}`;
}

/** Stands in every note about what memd has cut out of a text. */
export const cutMark = 'characters cut by memd';

/** An earlier version put it in the place of what it had no time to redact. */
export const leftOutMark = '[... left out by memd: there was no time to redact it ...]';

/** As long as a string can be. */
const countMax = 999_999_999;
const noteOf = (count: number): string => `\n[... ${count} ${cutMark} ...]\n`;
const noteCharsMax = noteOf(countMax).length;
const notePattern = new RegExp(`\\n\\[\\.{3} (\\d{1,9}) ${cutMark} \\.{3}\\]\\n`, 'g');

function cutBoth(observation: Observation, limit: number): Observation {
  return {
    ...observation,
    input: cutPart(observation.input, limit),
    output: cutPart(observation.output, limit),
  };
}

const ownCharsMin = 512;

/** The path of a file stays whole next to thousands of its lines. */
function cutPart(value: Json, limit: number): Json {
  if (!isObject(value)) return cutJson(value, limit);
  const cut = (item: Json): Json =>
    cutJson(item, typeof item === 'string' ? Math.max(limit, ownCharsMin) : limit);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cut(item)]));
}

/** The same value with each of its texts within `limit` characters. */
export function cutJson(value: Json, limit: number): Json {
  if (typeof value === 'string') return cutText(value, limit);
  if (Array.isArray(value)) return value.map((item) => cutJson(item, limit));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutJson(item, limit)]));
}

function isHighSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff;
}
