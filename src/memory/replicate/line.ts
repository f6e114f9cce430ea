import * as v from 'valibot';
import { parseObject } from '../../core/event/index.ts';
import { focusCharsMax, idCharsMax } from '../../core/limits.ts';
import { authorCharsMax } from '../../core/text/index.ts';
import { redactText } from '../../redact/engine/index.ts';
import { clean, rowOf } from '../archive/index.ts';
import type { SyncRow } from '../store/index.ts';

const id = v.pipe(v.string(), v.minLength(1), v.maxLength(idCharsMax));
const time = v.pipe(
  v.string(),
  v.maxLength(64),
  v.check((text) => !Number.isNaN(Date.parse(text)), 'not a time'),
  v.transform((text) => new Date(text).toISOString()),
);

/** What an export has not. */
const changeSchema = v.variant('type', [
  v.object({ type: v.literal('removed'), id, ts: time, pruned: v.boolean() }),
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
    text: v.nullable(v.pipe(v.string(), v.maxLength(focusCharsMax))),
    ts: time,
  }),
]);

/** The row of a line, checked, within limits and without secrets; null if it is not one. */
export function syncRowOf(line: string): SyncRow | null {
  try {
    const change = v.safeParse(changeSchema, parseObject(line));
    if (change.success) return withoutSecrets(change.output);
    const read = rowOf(line);
    return 'row' in read && read.row.type !== 'forgotten' ? withoutSecrets(read.row) : null;
  } catch (error) {
    // Of thousands of levels; no client sends them, and one row must not stop a sync.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** A row by today's rules of redaction; null if its id holds a secret. */
function withoutSecrets(row: SyncRow): SyncRow | null {
  switch (row.type) {
    case 'focus':
      return row.text === null ? row : { ...row, text: redactText(row.text, undefined, true).text };
    case 'removed':
    case 'restored':
    case 'pin':
    case 'author':
      return row;
    case 'event':
    case 'summary':
    case 'edge':
    case 'prompt':
    case 'digest': {
      const read = clean(row);
      return 'row' in read && read.row.type !== 'forgotten' ? read.row : null;
    }
  }
}

/** The events that a row belongs to: with any of them, it goes. */
export function eventsOf(row: SyncRow): readonly string[] {
  switch (row.type) {
    case 'event':
    case 'prompt':
      return [row.id];
    case 'summary':
      return [row.eventId];
    case 'edge':
      return [row.from, row.to];
    case 'pin':
      return row.key.startsWith('e:') ? [row.key.slice(2)] : [];
    case 'digest':
    case 'focus':
    case 'removed':
    case 'restored':
    case 'author':
      return [];
  }
}
