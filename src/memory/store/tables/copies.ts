import { createHash } from 'node:crypto';
import {
  type Json,
  objectAt,
  own,
  parseObject,
  type SessionParent,
  stringAt,
  type ToolEvent,
} from '#core/event';
import type { Connection } from '../connection.ts';
import { type Row, text, textOrNull } from '../row.ts';
import { messageIn } from './message-columns.ts';
import { Table } from './table.ts';

/** What copies are recognised by. */
export type Native = Pick<
  ToolEvent,
  'id' | 'client' | 'sessionId' | 'tool' | 'toolUseId' | 'ts' | 'input' | 'output' | 'message'
>;

const hasNoSessions: ReadonlySet<string> = new Set(['generic', 'unknown']);

/** Some models count their calls in each session (`call_0`): such an id needs time and arguments with it. */
function isUnique(id: string): boolean {
  return /[\da-f]{8}-[\da-f]{4}-|[A-Za-z\d]{16}/.test(id);
}

/** The identities of an event; none for a client without sessions. A message of a helper has one in its session too, since several ways report it. */
export function nativeKeys(event: Native): string[] {
  const { client, sessionId, tool, toolUseId, ts, input, message, output } = event;
  if (sessionId === '' || hasNoSessions.has(client)) return [];
  const hashed = (...parts: Json[]): string =>
    createHash('sha256').update(JSON.stringify(parts)).digest('base64').slice(0, 22);
  if (message === undefined) {
    if (!toolUseId) return [];
    return [isUnique(toolUseId) ? hashed(client, toolUseId) : hashed(client, toolUseId, ts, tool, input)];
  }
  const { role, turnId, agentId } = message;
  return [
    hashed(client, role, ts, output),
    ...(turnId !== null && isUnique(turnId) ? [hashed(client, role, turnId, agentId, output)] : []),
    ...(agentId === null ? [] : [hashed(client, sessionId, agentId, output)]),
  ];
}

/** Finds what another session has of the same client's event, and knows which session comes from which. */
export class Copies extends Table {
  /** The event under another id that this one is; it may be forgotten. `keys`: its `nativeKeys`. */
  originalOf(event: Native, keys: readonly string[]): string | null {
    const sql = `SELECT n.event_id, e.session_id FROM natives n LEFT JOIN events e ON e.id = n.event_id WHERE n.key = ?`;
    for (const key of keys) {
      const row = this.connection.get(sql, key);
      const id = row === undefined ? event.id : text(row, 'event_id');
      // Equal words in two turns of a session are two messages.
      const isTwice = event.message?.agentId == null && row?.session_id === event.sessionId;
      if (id !== event.id && !isTwice) return id;
    }
    return null;
  }

  /** Notes a stored event by its keys. */
  note(keys: readonly string[], eventId: string): void {
    for (const key of keys)
      this.connection.run('INSERT OR IGNORE INTO natives (key, event_id) VALUES (?, ?)', key, eventId);
  }

  /** What was noted of `id` is that of `eventId`: the same event, reported by another way. */
  move(id: string, eventId: string): void {
    this.connection.run('UPDATE natives SET event_id = ? WHERE event_id = ?', eventId, id);
  }

  /** The event is a copy of the stored `original`: its own id is known from now on, and its session comes from that of the original. */
  pair(event: Native, keys: readonly string[], original: string): void {
    this.note(keys, original);
    pairIds(this.connection, event.id, original);
    const row = this.connection.get('SELECT session_id FROM events WHERE id = ?', original);
    if (row !== undefined) this.link(event.sessionId, { session: text(row, 'session_id'), kind: 'fork' });
  }

  /** The first that is said of a session counts. An unknown parent counts for a session that has no events of its own. */
  link(session: string, { session: parent, kind }: SessionParent): void {
    if (session === '' || session === parent) return;
    const sql = `INSERT INTO session_links (session_id, parent, kind)
      SELECT ?1, ?2, ?3 WHERE ?2 <> '' OR NOT EXISTS (SELECT 1 FROM events WHERE session_id = ?1)
      ON CONFLICT (session_id) DO UPDATE SET parent = excluded.parent, kind = excluded.kind WHERE parent = ''`;
    this.connection.run(sql, session, parent, kind);
  }

  /** The session has events of its own, so it is no helper of an unknown one. */
  unlink(session: string): void {
    this.connection.run("DELETE FROM session_links WHERE session_id = ? AND parent = ''", session);
  }
}

/** `id` is another id of the event `original`, also once that is forgotten. */
export function pairIds(connection: Connection, id: string, original: string): void {
  connection.run('INSERT OR IGNORE INTO paired (id, event_id) VALUES (?, ?)', id, original);
  const away =
    'INSERT OR IGNORE INTO forgotten (event_id, ts) SELECT ?, ts FROM forgotten WHERE event_id = ?';
  connection.run(away, id, original);
}

/** The columns of `events` that `nativeOf` reads. */
export const nativeColumns = 'seq, id, client, session_id, tool, tool_use_id, ts, payload_json';

/** A stored event; null if its payload is not JSON (edited by SQL). */
export function nativeOf(row: Row): Native | null {
  const payload = parseObject(text(row, 'payload_json'));
  if (payload === null) return null;
  const message = messageIn(payload);
  return {
    id: text(row, 'id'),
    client: text(row, 'client') as Native['client'],
    sessionId: text(row, 'session_id'),
    tool: text(row, 'tool'),
    toolUseId: textOrNull(row, 'tool_use_id'),
    ts: text(row, 'ts'),
    input: own(payload, 'input') ?? {},
    output: own(payload, 'output') ?? '',
    ...(message === undefined ? {} : { message }),
  };
}

/** Notes an event that was not stored by `insert`. Whether another session has it: then it is removed again. */
export function removeIfCopy(connection: Connection, id: string): boolean {
  const row = connection.get(`SELECT ${nativeColumns} FROM events WHERE id = ?`, id);
  const event = row === undefined ? null : nativeOf(row);
  if (row === undefined || event === null) return false;
  const copies = new Copies({ connection });
  const parent = sessionParentIn(text(row, 'payload_json'));
  if (parent !== null) copies.link(event.sessionId, parent);
  const keys = nativeKeys(event);
  const original = copies.originalOf(event, keys);
  if (original === null) copies.note(keys, id);
  else {
    connection.run('DELETE FROM events WHERE id = ?', id);
    copies.pair(event, keys, original);
  }
  return original !== null;
}

/** Where the session of a stored event comes from; null where its payload does not say. */
function sessionParentIn(payloadJson: string): SessionParent | null {
  if (!payloadJson.includes('"parent"')) return null;
  const parent = objectAt(parseObject(payloadJson) ?? {}, 'parent') ?? {};
  const [session, kind] = [stringAt(parent, 'session'), stringAt(parent, 'kind')];
  return session !== undefined && (kind === 'agent' || kind === 'fork') ? { session, kind } : null;
}

const helpersMax = 50;

/** The own sessions of the helpers that a session started, and of theirs. */
export function helpersOf(connection: Connection, session: string): string[] {
  const sql = `WITH RECURSIVE helper (id) AS (SELECT ?1 UNION
      SELECT session_id FROM session_links JOIN helper ON parent = helper.id WHERE kind = 'agent' AND parent <> '')
    SELECT id FROM helper h WHERE id <> ?1 AND EXISTS (SELECT 1 FROM events WHERE session_id = h.id AND is_foreign = 0)
    LIMIT ${helpersMax}`;
  return connection.texts(sql, session);
}

/** A condition on `session_id`: the session is not listed behind the stored one that started it. */
export const isListedAlone = `session_id NOT IN (SELECT l.session_id FROM session_links l WHERE l.kind = 'agent'
  AND EXISTS (SELECT 1 FROM events p WHERE p.session_id = l.parent))`;

/** A condition on `session_id`: the session is not that of another one's helper. */
export const isNoHelper = "session_id NOT IN (SELECT session_id FROM session_links WHERE kind = 'agent')";
