import type { Connection } from './connection.ts';
import { addCopyTables, Copies, nativeColumns, nativeKeys, nativeOf, pairIds } from './copies.ts';
import { text } from './row.ts';

const pageRows = 200;

/**
 * Adds and fills the tables of copies in a database that lacks them, within the caller's transaction. Earlier versions stored what a
 * fork repeats once more under the fork's session: such a copy is removed when the first session has the event. Its id stays known, so
 * that nothing brings it back.
 */
export function addCopies(connection: Connection): void {
  if (!addCopyTables(connection)) return;
  const families = copiesIn(connection);
  const firsts = new Sessions(connection, families);
  for (const family of families) {
    const [first, ...copies] = [...family].sort((a, b) => firsts.compare(a, b));
    if (first !== undefined) for (const copy of copies) remove(connection, copy, first);
  }
}

/** Fills the tables from the events that are stored, which are copies of none. */
export function rebuildCopies(connection: Connection): void {
  copiesIn(connection);
}

interface Stored {
  readonly id: string;
  readonly session: string;
}

/** Notes all events of this user. Returns those that are one event in several sessions. */
function copiesIn(connection: Connection): readonly (readonly Stored[])[] {
  const copies = new Copies(connection);
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
class Sessions {
  readonly #connection: Connection;
  readonly #shared = new Map<string, string[]>();
  readonly #begins = new Map<string, string>();

  constructor(connection: Connection, families: readonly (readonly Stored[])[]) {
    this.#connection = connection;
    for (const { id, session } of families.flat())
      this.#shared.set(session, [...(this.#shared.get(session) ?? []), id]);
  }

  compare(a: Stored, b: Stored): number {
    const [one, other] = [this.#begin(a.session), this.#begin(b.session)];
    return one < other ? -1 : one > other ? 1 : 0;
  }

  #begin(session: string): string {
    const known = this.#begins.get(session);
    if (known !== undefined) return known;
    const sql = `SELECT coalesce(min(ts), '') AS ts FROM events WHERE session_id = ? AND id NOT IN (SELECT value FROM json_each(?))`;
    const row = this.#connection.get(sql, session, JSON.stringify(this.#shared.get(session) ?? [])) ?? {};
    this.#begins.set(session, text(row, 'ts'));
    return text(row, 'ts');
  }
}

/** A copy that is pinned, or chosen for the other authors, stays as it is. */
function remove(connection: Connection, copy: Stored, first: Stored): void {
  const sql = `DELETE FROM events WHERE id = ?1 AND id NOT IN (SELECT event_id FROM promoted)
    AND id NOT IN (SELECT event_id FROM summaries WHERE pinned <> 0) AND session_id NOT IN (SELECT session_id FROM digests WHERE pinned <> 0)`;
  if (connection.run(sql, copy.id) === 0) return;
  pairIds(connection, copy.id, first.id);
  const copies = new Copies(connection);
  copies.move(copy.id, first.id);
  copies.link(copy.session, { session: first.session, kind: 'fork' });
  connection.run('UPDATE digests SET last_seq = 0 WHERE session_id IN (?, ?)', copy.session, first.session);
}
