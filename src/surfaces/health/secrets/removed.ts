import { isObject, type Json } from '#core/event';

// A shorter text would also match innocent words.
const textCharsMin = 6;
const lineCharsMin = 12;

/** A text that redaction removed, and its placeholder. */
export interface Removed {
  readonly text: string;
  readonly placeholder: string;
}

/** What redaction removed. A summary may repeat such a text without the name that marks it as a secret (`DB_PASSWORD=`). */
export function removedBetween(before: Json, after: Json): Removed[] {
  if (before === after) return [];
  if (typeof after === 'string') return removedFromText(textOf(before), after);
  if (Array.isArray(before) && Array.isArray(after))
    return before.flatMap((item: Json, at) => removedBetween(item, after[at] ?? null));
  if (!isObject(before) || !isObject(after)) return [];
  const cleaned = Object.entries(after);
  return Object.entries(before).flatMap(([key, item], at) => {
    const [cleanKey = key, cleanItem = item] = cleaned[at] ?? [];
    return [...removedFromText(key, cleanKey), ...removedBetween(item, cleanItem)];
  });
}

/** The longest first: one may be a part of another. */
export function withoutRemoved(text: string, removed: readonly Removed[]): string {
  const longestFirst = [...removed].sort((a, b) => b.text.length - a.text.length);
  return longestFirst.reduce((rest, one) => rest.replaceAll(one.text, () => one.placeholder), text);
}

function removedFromText(before: string, after: string): Removed[] {
  if (before === after) return [];
  // Kept text at even indices, placeholders at odd ones; adjacent placeholders count as one.
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
    // Ambiguous: a later pass has replaced an earlier placeholder.
    if (end <= at) return removed;
    const text = before.slice(at, end);
    if (text.trim().length >= textCharsMin) removed.push({ text, placeholder });
    removed.push(...linesOf(text).map((line) => ({ text: line, placeholder })));
    at = end + kept.length;
  }
  return removed;
}

/** A summary may quote one line of a block. */
function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.length === 1) return [];
  return lines
    .map((line) => line.replace(/^[\s<>+-]+/, '').trim())
    .filter((line) => line.length >= lineCharsMin);
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
