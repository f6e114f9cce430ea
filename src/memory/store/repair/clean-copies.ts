import type { Connection } from '../connection.ts';
import { number, text, textOrNull } from '../row.ts';
import { Copies, nativeColumns, nativeKeys, nativeOf, pairIds } from '../tables/copies.ts';

const pageRows = 200;

/**
 * Fills the tables of copies in a database that had none, within the caller's transaction. Earlier versions stored what a
 * fork repeats once more under the fork's session: such a copy is removed when the first session has the event, after its pin, its edges,
 * its note and what else the first one lacks have moved there. Its id stays known, so that nothing brings it back.
 */
export function mergeCopies(connection: Connection): void {
  const families = rebuildCopies(connection);
  const firstFirst = byBegin(connection, families);
  for (const family of families) {
    const [first, ...copies] = [...family].sort(firstFirst);
    if (first !== undefined) for (const copy of copies) remove(connection, copy, first);
  }
}

interface Stored {
  readonly id: string;
  readonly session: string;
}

/** Fills the tables from the stored events of this user. Returns those that are one event in several sessions. */
export function rebuildCopies(connection: Connection): readonly (readonly Stored[])[] {
  const copies = new Copies({ connection });
  const families = new Map<string, Map<string, Stored>>();
  const sql = `SELECT ${nativeColumns} FROM events WHERE seq > ? AND is_foreign = 0 ORDER BY seq LIMIT ?`;
  for (const row of connection.paged(sql, pageRows, { seq: 0 })) {
    const event = nativeOf(row);
    if (event === null) continue;
    const keys = nativeKeys(event);
    const first = copies.originalOf(event, keys);
    if (first !== null) {
      const family = families.get(first) ?? new Map([[first, storedAt(connection, first)]]);
      families.set(first, family.set(event.id, { id: event.id, session: event.sessionId }));
    }
    copies.note(keys, first ?? event.id);
  }
  return [...families.values()].map((family) => [...family.values()]);
}

function storedAt(connection: Connection, id: string): Stored {
  const row = connection.get('SELECT session_id FROM events WHERE id = ?', id);
  return { id, session: row === undefined ? '' : text(row, 'session_id') };
}

/**
 * Which of some sessions with the same events was the first: one with nothing of its own, else that whose own events begin earlier, since
 * its forks go on from what it had by then.
 */
function byBegin(connection: Connection, families: readonly (readonly Stored[])[]) {
  const shared = new Map<string, string[]>();
  for (const { id, session } of families.flat()) shared.set(session, [...(shared.get(session) ?? []), id]);
  const begins = new Map<string, string>();
  const beginOf = (session: string): string => {
    const known = begins.get(session);
    if (known !== undefined) return known;
    const sql = `SELECT coalesce(min(ts), '') AS ts FROM events WHERE session_id = ? AND id NOT IN (SELECT value FROM json_each(?))`;
    const begin = text(connection.get(sql, session, JSON.stringify(shared.get(session) ?? [])) ?? {}, 'ts');
    begins.set(session, begin);
    return begin;
  };
  return (a: Stored, b: Stored): number => {
    const [one, other] = [beginOf(a.session), beginOf(b.session)];
    return one < other ? -1 : one > other ? 1 : 0;
  };
}

function remove(connection: Connection, copy: Stored, first: Stored): void {
  moveSummary(connection, copy.id, first.id);
  connection.run('UPDATE OR IGNORE promoted SET event_id = ? WHERE event_id = ?', first.id, copy.id);
  const ended = `UPDATE events SET payload_json = json_set(payload_json, '$.ended', json(c.ended)), is_error = c.is_error, status = 'raw'
    FROM (SELECT is_error, CASE WHEN json_valid(payload_json) THEN payload_json -> '$.ended' END AS ended FROM events WHERE id = ?2) c
    WHERE id = ?1 AND c.ended IS NOT NULL AND json_valid(payload_json) AND payload_json -> '$.ended' IS NULL AND shrunk <= 0`;
  connection.run(ended, first.id, copy.id);
  keepPinnedDigest(connection, copy, first);
  connection.run('DELETE FROM events WHERE id = ?', copy.id);
  pairIds(connection, copy.id, first.id);
  new Copies({ connection }).move(copy.id, first.id);
  new Copies({ connection }).link(copy.session, { session: first.session, kind: 'fork' });
  connection.run('UPDATE digests SET last_seq = 0 WHERE session_id IN (?, ?)', copy.session, first.session);
}

/** Pin, edges and, where the first event has none or a builtin one, the words of a model. */
function moveSummary(connection: Connection, copy: string, first: string): void {
  const summaryOf = 'SELECT id, model, pinned, pinned_by FROM summaries WHERE event_id = ?';
  const [from, to] = [connection.get(summaryOf, copy), connection.get(summaryOf, first)];
  if (from === undefined) return;
  if (to === undefined) {
    connection.run('UPDATE summaries SET event_id = ? WHERE event_id = ?', first, copy);
    connection.run("UPDATE events SET status = 'summarized' WHERE id = ? AND status = 'raw'", first);
    return;
  }
  const [fromId, toId] = [number(from, 'id'), number(to, 'id')];
  if (number(from, 'pinned') !== 0 && number(to, 'pinned') === 0)
    connection.run(
      'UPDATE summaries SET pinned = 1, pinned_by = ? WHERE id = ?',
      textOrNull(from, 'pinned_by'),
      toId,
    );
  moveEdges(connection, fromId, toId);
  if (text(to, 'model') !== 'builtin' || text(from, 'model') === 'builtin') return;
  // The better summary takes the place of the other one, under its own id.
  const [pinned, by] = [number(to, 'pinned') !== 0, textOrNull(to, 'pinned_by')];
  moveEdges(connection, toId, fromId);
  connection.run('DELETE FROM summaries WHERE id = ?', toId);
  connection.run('UPDATE summaries SET event_id = ? WHERE id = ?', first, fromId);
  if (pinned) connection.run('UPDATE summaries SET pinned = 1, pinned_by = ? WHERE id = ?', by, fromId);
}

function moveEdges(connection: Connection, from: number, to: number): void {
  connection.run('UPDATE OR IGNORE edges SET from_id = ?1 WHERE from_id = ?2 AND to_id <> ?1', to, from);
  connection.run('UPDATE OR IGNORE edges SET to_id = ?1 WHERE to_id = ?2 AND from_id <> ?1', to, from);
}

/** The digest of a session goes with its last event: its pin then counts for the first session. */
function keepPinnedDigest(connection: Connection, { id, session }: Stored, first: Stored): void {
  const more = connection.get('SELECT 1 FROM events WHERE session_id = ? AND id <> ? LIMIT 1', session, id);
  if (more !== undefined) return;
  const sql = `UPDATE digests SET pinned = 1, pinned_by = d.pinned_by
    FROM (SELECT pinned, pinned_by FROM digests WHERE session_id = ?2) d WHERE session_id = ?1 AND d.pinned <> 0 AND digests.pinned = 0`;
  connection.run(sql, first.session, session);
}
