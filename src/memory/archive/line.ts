import * as v from 'valibot';
import { clientNames } from '#assistants/table';
import type { Json } from '#core/event';
import { idCharsMax, indexCharsMax } from '#core/limits';
import { Failure, jsonErrorOf, rescued } from '#core/platform';
import { type ArchiveRow, allRows, hasOthers, type Store, type SyncRow } from '#memory/store';
import { authorIn } from './clean.ts';

/** All versions up to it can be read. Version 2 holds rows of other authors, which a reader of version 1 would take for the user's own. */
const version = 2;

/**
 * `export`: the whole database. `restore`: what a prune has removed; its import restores these events although they were
 * pruned.
 */
export type Kind = 'export' | 'restore';

export interface Head {
  readonly kind: Kind;
  /** When it was written, an ISO time; null if unknown. */
  readonly ts: string | null;
  /** Who recorded the rows that name nobody, and on which device; null if unknown. */
  readonly author: string | null;
  readonly device: string | null;
}

/** `rows` of a store as lines of NDJSON, a header first; without newlines. `author`: the user whose memory it is. */
export function* archiveLines(
  { connection }: Pick<Store, 'connection'>,
  rows: Iterable<ArchiveRow>,
  kind: Kind,
  author?: string,
): Generator<string> {
  const device = connection.get("SELECT value AS device FROM settings WHERE name = 'sync.device'");
  const from = author === undefined ? {} : { author, ...device };
  const head = { version: hasOthers(connection) ? version : 1, kind, ts: new Date().toISOString() };
  yield JSON.stringify({ format: 'memd-export', ...head, ...from });
  for (const row of rows) {
    const line = lineOf(row);
    yield line.includes('\\ud') ? line.replace(halfCharacter, '$1\\ufffd') : line;
  }
}

/** Half of a surrogate pair, which only JavaScript can write; many readers of JSON refuse it. */
const halfCharacter = /(?<!\\)((?:\\\\)*)\\ud[89a-f][\da-f]{2}/g;

/** Everything in a store as lines. */
export function exportLines(store: Pick<Store, 'connection'>, author?: string): Generator<string> {
  return archiveLines(store, allRows(store.connection), 'export', author);
}

const name = v.pipe(v.string(), v.maxLength(idCharsMax));
const person = v.pipe(name, v.transform(authorIn));
/** Who recorded a row, and on which device, if that was another author. */
const origin = {
  author: v.exactOptional(v.pipe(name, v.minLength(1), v.transform(authorIn))),
  device: v.exactOptional(name),
};

/** The first line. */
export const header = v.object({
  format: v.literal('memd-export'),
  version: v.number(),
  kind: v.optional(v.string()),
  ts: v.optional(v.string()),
  ...origin,
});

/** Reads a file's first line. @throws Failure `not_an_export`, `newer_format` */
export function headOf(firstLine: string, file: string): Head {
  const parsed = v.safeParse(header, parse(firstLine).value);
  if (!parsed.success)
    throw new Failure('not_an_export', `${file} is not an export of memd: its first line is not the header`, {
      safe: 'nothing was imported',
      repair: 'name a file that `mem export` or `mem prune` has written',
    });
  if (parsed.output.version > version) {
    const versions = `format version ${parsed.output.version}, and this memd knows versions up to ${version}`;
    throw new Failure('newer_format', `${file} was written by a newer memd (${versions})`, {
      safe: 'nothing was imported',
      repair: 'install that memd, or a newer one',
    });
  }
  const { kind, ts = '', author = null, device = null } = parsed.output;
  return {
    kind: kind === 'restore' ? 'restore' : 'export',
    ts: Number.isNaN(Date.parse(ts)) ? null : new Date(ts).toISOString(),
    ...{ author, device },
  };
}

export const id = v.pipe(v.string(), v.minLength(1), v.maxLength(idCharsMax));
const words = v.pipe(v.string(), v.maxLength(indexCharsMax));
const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
export const time = v.pipe(
  v.string(),
  v.check((text) => !Number.isNaN(Date.parse(text)), 'not a time'),
  // Stored times are compared as text.
  v.transform((text) => new Date(text).toISOString()),
);
const json = v.custom<Json>((value) => value !== undefined);

/** Every line but the first. */
export const rowSchema = v.variant('type', [
  v.object({
    type: v.literal('event'),
    id,
    ts: time,
    sessionId: name,
    tool: name,
    toolUseId: v.nullable(name),
    client: v.fallback(v.picklist(clientNames), 'unknown'),
    isError: v.boolean(),
    status: v.picklist(['raw', 'summarized', 'skipped']),
    attempts: whole,
    lastError: v.nullable(words),
    shrunk: v.optional(whole, 0),
    ...origin,
    payload: v.optional(json),
    payloadText: v.optional(v.string()),
  }),
  v.object({
    type: v.literal('summary'),
    id: v.pipe(whole, v.minValue(1)),
    eventId: id,
    text: words,
    terms: words,
    model: name,
    ts: time,
    pinned: v.boolean(),
    pinnedBy: v.exactOptional(person),
    ...origin,
  }),
  v.object({
    type: v.literal('edge'),
    from: id,
    to: id,
    kind: v.picklist(['supersedes', 'contradicts']),
    evidence: words,
    ts: time,
  }),
  v.object({ type: v.literal('prompt'), id, sessionId: name, ts: time, text: words }),
  v.object({
    type: v.literal('digest'),
    id: v.optional(v.nullable(v.pipe(whole, v.minValue(1))), null),
    sessionId: name,
    text: words,
    terms: words,
    model: name,
    ts: time,
    lastEvent: v.nullable(id),
    pinned: v.optional(v.boolean(), false),
    pinnedBy: v.exactOptional(person),
    ...origin,
  }),
  v.object({ type: v.literal('forgotten'), id, ts: time }),
]);

/** The row of a line, or why it is not valid, in words that quote nothing of it. */
export function rowOf(line: string): { readonly row: ArchiveRow } | { readonly reason: string } {
  const { value, error } = parse(line);
  if (error !== null) return { reason: error };
  const parsed = v.safeParse(rowSchema, value);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    return { reason: `${v.getDotPath(issue) ?? 'the line'}: not ${issue.expected ?? 'what it must be'}` };
  }
  const row = parsed.output;
  if (row.type !== 'event') return { row };
  const { payload, payloadText, ...event } = row;
  if (payload !== undefined) return { row: { ...event, payloadJson: JSON.stringify(payload) } };
  if (payloadText !== undefined) return { row: { ...event, payloadJson: payloadText } };
  return { reason: 'payload: missing' };
}

/** The line of a row, without its newline. */
export function lineOf(row: ArchiveRow | SyncRow): string {
  if (row.type !== 'event') return JSON.stringify(row);
  const { payloadJson, shrunk, ...rest } = row;
  const event = shrunk === 0 ? rest : { ...rest, shrunk };
  // A payload that is not JSON, or is formatted otherwise, is kept byte for byte.
  if (!isPlain(payloadJson)) return JSON.stringify({ ...event, payloadText: payloadJson });
  return `${JSON.stringify(event).slice(0, -1)},"payload":${payloadJson}}`;
}

function isPlain(text: string): boolean {
  const { value, error } = parse(text);
  return error === null && JSON.stringify(value) === text;
}

function parse(text: string): { value: Json; error: null } | { value: null; error: string } {
  return rescued(
    () => ({ value: JSON.parse(text), error: null }),
    (error) => ({ value: null, error: jsonErrorOf(error) }),
  );
}
