import { isObject, type Json } from '../../../core/event/index.ts';

const removedTextCharsMin = 6;
const removedLineCharsMin = 12;

/** A text that redaction took out, and what stands in its place. */
export interface Removed {
  readonly text: string;
  readonly placeholder: string;
}

/**
 * What redaction took out of `before` to make `after`. A summary may repeat such a text without the name that gave it
 * away (`DB_PASSWORD=`), where no rule would know it. What is shorter than `removedTextCharsMin` is left out: it
 * would be found in innocent words.
 */
export function removedBetween(before: Json, after: Json): Removed[] {
  if (before === after) return [];
  if (typeof after === 'string') return removedFromText(textOf(before), after);
  if (Array.isArray(before) && Array.isArray(after)) {
    return before.flatMap((item: Json, at) => removedBetween(item, after[at] ?? null));
  }
  if (!isObject(before) || !isObject(after)) return [];
  const cleaned = Object.entries(after);
  return Object.entries(before).flatMap(([key, item], at) => {
    const [cleanKey = key, cleanItem = item] = cleaned[at] ?? [];
    return [...removedFromText(key, cleanKey), ...removedBetween(item, cleanItem)];
  });
}

/** `text` with all of `removed` replaced, the longest first: one may be a part of another. */
export function withoutRemoved(text: string, removed: readonly Removed[]): string {
  const longestFirst = [...removed].sort((a, b) => b.text.length - a.text.length);
  return longestFirst.reduce((rest, one) => rest.replaceAll(one.text, () => one.placeholder), text);
}

function removedFromText(before: string, after: string): Removed[] {
  if (before === after) return [];
  // Kept text at even places, placeholders at odd ones; what stands side by side cannot be told apart.
  const pieces = after.split(/((?:<redacted:[a-z0-9-]+>)+)/);
  const removed: Removed[] = [];
  let at = pieces[0]?.length ?? 0;
  for (let index = 1; index < pieces.length; index += 2) {
    const placeholder = pieces[index] ?? '';
    const kept = pieces[index + 1] ?? '';
    if (before.startsWith(placeholder + kept, at)) {
      at += placeholder.length + kept.length;
      continue;
    }
    const isLast = index + 2 >= pieces.length;
    const end = isLast ? before.length - kept.length : before.indexOf(kept, at + 1);
    // Not to be told apart any more: a later pass has replaced over an earlier one's placeholder.
    if (end <= at) return removed;
    const text = before.slice(at, end);
    if (text.trim().length >= removedTextCharsMin) removed.push({ text, placeholder });
    removed.push(...linesOf(text).map((line) => ({ text: line, placeholder })));
    at = end + kept.length;
  }
  return removed;
}

/** The lines of a block, each of which may be quoted alone. */
function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.length === 1) return [];
  return lines
    .map((line) => line.replace(/^[\s<>+-]+/, '').trim())
    .filter((line) => line.length >= removedLineCharsMin);
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
