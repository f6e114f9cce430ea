import { type MemoryKind, parseObject, stringAt } from '#core/event';
import type { Connection } from '../connection.ts';
import { number, text, textOrNull } from '../row.ts';
import { mustBe, sessionNamed } from './names.ts';

/** Limits a listing or a search. Names of tools and clients in any case. */
export interface SummaryFilter {
  /** A whole id. */
  readonly session?: string | undefined;
  readonly tool?: string | undefined;
  readonly kinds?: readonly MemoryKind[] | undefined;
}

/** Of a search. */
export interface SearchFilter extends SummaryFilter {
  /** ISO 8601, inclusive. */
  readonly since?: string | undefined;
  /** ISO 8601, exclusive. */
  readonly until?: string | undefined;
  /** A path or the end of one. */
  readonly file?: string | undefined;
  readonly failed?: boolean | undefined;
  readonly client?: string | undefined;
}

/**
 * The ids of all memories that match the filter; null without a filter. A digest matches when an event of its session matches what it
 * can: a time, a client, a file. It has no tool and did not fail.
 */
export function filteredIds(connection: Connection, filter: SearchFilter): Set<number> | null {
  const { kinds, tool, failed, file } = filter;
  const { sql, values } = conditions(filter);
  if (sql === '' && kinds === undefined && file === undefined) return null;
  const asked = kinds ?? ['call', 'message', 'session'];
  const events = asked.filter((kind) => kind !== 'session');
  const ids = new Set<number>();
  const isSession = asked.includes('session') && tool === undefined && failed !== true;
  if (file !== undefined) {
    const found = concerning(connection, file, sql, values);
    for (const { id, kind } of found) if (events.some((one) => one === kind)) ids.add(id);
    if (isSession) addSessions(connection, new Set(found.map(({ session }) => session)), ids);
    return ids;
  }
  if (events.length > 0) {
    const kind = events.length === 2 ? '' : 'AND e.kind = ?';
    const rows = connection.all(
      `SELECT s.id ${from} ${sql} ${kind}`,
      ...values,
      ...(events.length === 2 ? [] : events),
    );
    for (const row of rows) ids.add(number(row, 'id'));
  }
  if (!isSession) return ids;
  const rows = connection.all(`SELECT DISTINCT e.session_id ${from} ${sql}`, ...values);
  addSessions(connection, new Set(rows.map((row) => text(row, 'session_id'))), ids);
  return ids;
}

const from = 'FROM summaries s JOIN events e ON e.id = s.event_id WHERE 1';

/** A condition on `summaries s` and `events e` for what both a listing and a search can ask for; empty when nothing is asked. */
export function conditions({ session, tool, since, until, failed, client }: Asked) {
  const parts = [
    ['AND e.session_id = ?', session],
    ['AND e.tool = ? COLLATE NOCASE', tool],
    ['AND e.client = ? COLLATE NOCASE', client],
    ['AND s.ts >= ?', since],
    ['AND s.ts < ?', until],
  ] as const;
  const given = parts.flatMap(([sql, value]) => (value == null ? [] : [{ sql, value }]));
  const sql = [...given.map((part) => part.sql), ...(failed === true ? ['AND e.is_error = 1'] : [])].join(
    ' ',
  );
  return { sql, values: given.map(({ value }) => value) };
}

/** A filter whose names are checked, and whose session is a whole id. @throws Failure `bad_request` */
export function checked<T extends Asked>(connection: Connection, filter: T): T {
  const { session, tool, client } = filter;
  if (tool != null) mustBe(connection, 'tool', tool);
  if (client != null) mustBe(connection, 'client', client);
  return session == null ? filter : { ...filter, session: sessionNamed(connection, session) };
}

type Asked = { readonly failed?: boolean | undefined } & {
  readonly [Name in 'session' | 'tool' | 'client' | 'since' | 'until']?: string | null | undefined;
};

function addSessions(connection: Connection, sessions: ReadonlySet<string>, ids: Set<number>): void {
  const sql = `SELECT id FROM digests WHERE text <> '' AND id IS NOT NULL
    AND session_id IN (SELECT value FROM json_each(?))`;
  for (const row of connection.all(sql, JSON.stringify([...sessions]))) ids.add(number(row, 'id'));
}

/** The memories whose arguments, words or message name the file. */
function concerning(connection: Connection, file: string, sql: string, values: readonly string[]) {
  const plain = file.trim().replace(/^(?:\.\/)+/, '');
  const name = plain.replace(/\/+$/, '').split('/').at(-1) ?? '';
  if (name === '') return [];
  const rows = connection.all(
    `SELECT s.id, s.text, s.terms, e.kind, e.session_id, e.payload_json ${from} ${sql}
       AND (instr(e.payload_json, ?) > 0 OR instr(s.text, ?) > 0)`,
    ...values,
    name,
    name,
  );
  const pattern = pathPattern(plain);
  return rows.flatMap((row) => {
    const kind = text(row, 'kind');
    const words = `${text(row, 'text')}\n${text(row, 'terms')}\n${said(kind, textOrNull(row, 'payload_json'))}`;
    return pattern.test(words) ? [{ id: number(row, 'id'), kind, session: text(row, 'session_id') }] : [];
  });
}

/** The arguments of a call, the text of a message. */
function said(kind: string, payloadJson: string | null): string {
  const payload = parseObject(payloadJson ?? '') ?? {};
  return kind === 'message' ? (stringAt(payload, 'output') ?? '') : textsIn(payload.input).join('\n');
}

/** Without what an edit writes: a file that imports another one does not concern it. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (written.test(key) ? [] : textsIn(inner)));
}

const written = /^(?:content|file_?text|(?:old|new)_?(?:str|string|text))$/i;

/** `login.ts` is in `src/login.ts`, not in `xlogin.ts`, `login.tsx` or `login.ts.bak`. A path that ends in `/` has any file below it. */
function pathPattern(file: string): RegExp {
  const quoted = file.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const end = file.endsWith('/') ? '' : String.raw`(?![\p{L}\p{N}_\-/\\]|\.[\p{L}\p{N}_])`;
  return new RegExp(String.raw`(?<![\p{L}\p{N}_.@~-])${quoted}${end}`, 'u');
}
