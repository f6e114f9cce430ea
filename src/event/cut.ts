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
  // A payload of many long texts: halve the allowance until the whole fits; a floor ends the loop.
  while (limit > 64 && JSON.stringify([cut.input, cut.output]).length > payloadCharsMax) {
    limit = Math.floor(limit / 2);
    cut = cutBoth(observation, limit);
  }
  if (JSON.stringify([cut.input, cut.output]).length <= payloadCharsMax) return cut;
  // Not long texts but very many values: keep the payload as one cut text.
  return {
    ...cut,
    input: cutText(JSON.stringify(cut.input), textCharsMax),
    output: cutText(JSON.stringify(cut.output), textCharsMax),
  };
}

/** `text` within `limit` characters, its middle replaced by a note; never splits a surrogate pair. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = Math.ceil(limit * 0.7);
  const tail = limit - head;
  const start = text.slice(0, isHighSurrogate(text, head - 1) ? head - 1 : head);
  const from = text.length - tail;
  const end = text.slice(isHighSurrogate(text, from - 1) ? from + 1 : from);
  return `${start}\n[... ${text.length - start.length - end.length} characters cut by memd ...]\n${end}`;
}

function cutBoth(observation: Observation, limit: number): Observation {
  return {
    ...observation,
    input: cutJson(observation.input, limit),
    output: cutJson(observation.output, limit),
  };
}

function cutJson(value: Json, limit: number): Json {
  if (typeof value === 'string') return cutText(value, limit);
  if (Array.isArray(value)) return value.map((item) => cutJson(item, limit));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutJson(item, limit)]));
}

function isHighSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff;
}
