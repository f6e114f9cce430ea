import * as v from 'valibot';
import { parseObject } from '#core/event';
import { focusCharsMax } from '#core/limits';
import { authorCharsMax } from '#core/text';
import { clean, eventsNamedBy, id, rowOf, time } from '#memory/archive';
import type { SyncRow } from '#memory/store';
import { redactText } from '#redact/engine';

const ts = v.pipe(v.string(), v.maxLength(64), time);

/** What an export has not. */
const changeSchema = v.variant('type', [
  v.object({ type: v.literal('removed'), id, ts, pruned: v.boolean() }),
  v.object({ type: v.literal('restored'), id }),
  v.object({
    type: v.literal('pin'),
    key: v.pipe(id, v.regex(/^[es]:./s)),
    pinned: v.boolean(),
    ms: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  }),
  v.object({
    type: v.literal('author'),
    author: v.pipe(v.string(), v.minLength(1), v.maxLength(authorCharsMax)),
    isRefused: v.boolean(),
    ms: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  }),
  v.object({
    type: v.literal('focus'),
    text: v.nullable(v.pipe(v.string(), v.maxLength(focusCharsMax), v.transform(withoutSecrets))),
    ts,
  }),
]);

/** The row of a line, checked, within limits and without secrets; null if it is not one. */
export function syncRowOf(line: string): SyncRow | null {
  try {
    const change = v.safeParse(changeSchema, parseObject(line));
    if (change.success) return change.output;
    const read = rowOf(line);
    const cleaned = 'row' in read ? clean(read.row) : read;
    return 'row' in cleaned && cleaned.row.type !== 'forgotten' ? cleaned.row : null;
  } catch (error) {
    // Of thousands of levels; no client sends them, and one row must not stop a sync.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function withoutSecrets(said: string): string {
  return redactText(said, undefined, true).text;
}

/** The events that a row belongs to: with any of them, it goes. */
export function eventsOf(row: SyncRow): readonly string[] {
  if (row.type === 'pin') return row.key.startsWith('e:') ? [row.key.slice(2)] : [];
  return ['digest', 'removed', 'restored'].includes(row.type) ? [] : eventsNamedBy(row);
}
