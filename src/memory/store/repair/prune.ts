import { createHash } from 'node:crypto';
import { parseObject } from '#core/event';
import { archivePageRows, supersededDaysMin } from '#core/limits';
import { faultPoint } from '#core/platform';
import type { Connection } from '../connection.ts';
import { flag, number, text } from '../row.ts';
import { type Digest, DigestTable, type Kept } from '../tables/digests.ts';
import { sorted } from '../tables/duplicates.ts';
import { ForgottenTable } from '../tables/forgotten.ts';
import { isPinned } from '../tables/origin.ts';

const pruneIndexBytes = 64 * 1024 * 1024;

/** A memory that can be pruned. */
export interface Prunable {
  readonly id: number;
  readonly reason: 'superseded' | 'duplicate';
  /** The newer memory that replaces it. */
  readonly by: number;
  /** The stored size of payload, summary and vector. */
  readonly bytes: number;
}

/**
 * Memories that were superseded at least `supersededDaysMin` days ago, and exact duplicates: same session, tool, words, input
 * and output. Never a pinned one. The newer of two by time and id stays, so the newest of any chain or ring of edges stays.
 * Oldest first.
 */
export function prunable(connection: Connection, nowMs: number): Prunable[] {
  const found = new Map<number, Omit<Prunable, 'bytes'>>();
  for (const one of superseded(connection, nowMs)) found.set(one.id, one);
  for (const one of duplicates(connection)) if (!found.has(one.id)) found.set(one.id, one);
  return withBytes(connection, found);
}

/**
 * Removes the planned memories with their events, index entries, vectors and edges in one transaction, and marks the events as
 * forgotten. A memory stays if it was pinned meanwhile, or if its replacement is gone. The digests of the sessions stay.
 * Returns how many were removed.
 */
export function removePruned(connection: Connection, plan: readonly Prunable[], nowMs: number): number {
  return connection.transaction(() => {
    const sql = `SELECT s.id, s.event_id, ${isPinned('s')} AS pinned FROM json_each(?) j CROSS JOIN summaries s ON s.id = j.value`;
    const involved = JSON.stringify([...new Set(plan.flatMap(({ id, by }) => [id, by]))]);
    const existing = new Map(connection.all(sql, involved).map((row) => [number(row, 'id'), row]));
    const removable = plan.flatMap(({ id, by }) => {
      const row = existing.get(id);
      return row === undefined || flag(row, 'pinned') || !existing.has(by)
        ? []
        : [{ id, eventId: text(row, 'event_id') }];
    });
    const events = removable.map(({ eventId }) => eventId);
    new ForgottenTable({ connection }).add(events, new Date(nowMs).toISOString(), true);
    const digests = digestsOf(connection, events);
    removeBelow(
      connection,
      removable.map(({ id }) => id),
    );
    const removed = connection.run(
      'DELETE FROM events WHERE id IN (SELECT value FROM json_each(?))',
      JSON.stringify(events),
    );
    for (const { digest, kept } of digests) new DigestTable({ connection }).save(digest, kept);
    faultPoint('prune.rows');
    return removed;
  });
}

/**
 * Removes dependent rows first, table by table: cascading from each of 50,000 rows takes three times as long, and blocks all
 * writers. Most of the time goes to the lexical index, whose segments need not be merged in between.
 */
function removeBelow(connection: Connection, ids: readonly number[]): void {
  const within = 'IN (SELECT value FROM json_each(?))';
  const among = JSON.stringify([...ids].sort((a, b) => a - b));
  const set = 'INSERT INTO summaries_fts (summaries_fts, rank) VALUES (?, ?)';
  connection.run(set, 'automerge', 0);
  connection.run(set, 'hashsize', pruneIndexBytes);
  connection.run(`DELETE FROM summaries_fts WHERE rowid ${within}`, among);
  connection.run(set, 'automerge', ftsAutomerge);
  connection.run(set, 'hashsize', ftsHashBytes);
  for (const table of ['summary_embeddings', 'subjects', 'comparables'])
    connection.run(`DELETE FROM ${table} WHERE summary_id ${within}`, among);
  connection.run(`DELETE FROM edges WHERE from_id ${within}`, among);
  connection.run(`DELETE FROM edges WHERE to_id ${within}`, among);
}

/** FTS5's defaults (https://www.sqlite.org/fts5.html#fts5_optional_commands). */
const ftsAutomerge = 4;
const ftsHashBytes = 1024 * 1024;

/** The digests of the sessions of some events. */
function digestsOf(
  connection: Connection,
  eventIds: readonly string[],
): { digest: Digest; kept: Kept | null }[] {
  const sql = `SELECT DISTINCT session_id FROM events
    WHERE session_id <> '' AND id IN (SELECT value FROM json_each(?))`;
  const digests = new DigestTable({ connection });
  return connection.all(sql, JSON.stringify(eventIds)).flatMap((row) => {
    const digest = digests.get(text(row, 'session_id'));
    return digest === null ? [] : [{ digest, kept: digests.kept(digest.sessionId) }];
  });
}

function superseded(connection: Connection, nowMs: number): Omit<Prunable, 'bytes'>[] {
  const latest = new Date(nowMs - supersededDaysMin * 86_400_000).toISOString();
  // An edge from an older to a newer memory removes nothing.
  const sql = `SELECT older.id, newer.id AS by_id, min(newer.ts)
    FROM edges JOIN summaries older ON older.id = edges.to_id JOIN summaries newer ON newer.id = edges.from_id
    WHERE edges.kind = 'supersedes' AND NOT ${isPinned('older')} AND newer.ts <= ?
      AND (newer.ts, newer.id) > (older.ts, older.id)
    GROUP BY older.id`;
  return connection
    .all(sql, latest)
    .map((row) => ({ id: number(row, 'id'), reason: 'superseded', by: number(row, 'by_id') }));
}

/**
 * Reads payloads only of summaries that agree in session, tool and words. The newest of a group comes first, and stays. Equal words
 * in two turns are two messages: the payload has the turn, and messages without one are left out.
 */
function* duplicates(connection: Connection): Generator<Omit<Prunable, 'bytes'>> {
  const sql = `SELECT id, pinned, alike FROM (
      SELECT s.id, s.ts, ${isPinned('s')} AS pinned, count(*) OVER same AS n, min(s.id) OVER same AS alike
      FROM summaries s JOIN events e ON e.id = s.event_id
      WHERE e.kind = 'call' OR e.turn_id IS NOT NULL
      WINDOW same AS (PARTITION BY e.session_id, e.tool, s.text))
    WHERE n > 1 ORDER BY alike, ts DESC, id DESC`;
  const candidates = connection.all(sql);
  let group = 0;
  let kept = new Map<string, number>();
  for (let from = 0; from < candidates.length; from += archivePageRows) {
    const page = candidates.slice(from, from + archivePageRows);
    const payloads = payloadsOf(
      connection,
      page.map((row) => number(row, 'id')),
    );
    for (const row of page) {
      if (number(row, 'alike') !== group) kept = new Map();
      group = number(row, 'alike');
      const id = number(row, 'id');
      const sum = checksumOf(payloads.get(id) ?? '');
      if (sum === null) continue;
      const by = kept.get(sum);
      if (by === undefined) kept.set(sum, id);
      else if (number(row, 'pinned') === 0) yield { id, reason: 'duplicate', by };
    }
  }
}

function payloadsOf(connection: Connection, ids: readonly number[]): Map<number, string> {
  const sql = `SELECT s.id, e.payload_json FROM summaries s JOIN events e ON e.id = s.event_id
    WHERE s.id IN (SELECT value FROM json_each(?))`;
  const rows = connection.all(sql, JSON.stringify(ids));
  return new Map(rows.map((row) => [number(row, 'id'), text(row, 'payload_json')]));
}

/** A hash of a payload without time and call id, for any order of keys; null if it is not a JSON object. */
function checksumOf(payloadJson: string): string | null {
  const payload = parseObject(payloadJson);
  // Edited by SQL: equal to no other.
  if (payload === null) return null;
  const { ts: _ts, toolUseId: _toolUseId, ...content } = payload;
  return createHash('sha256')
    .update(JSON.stringify(sorted(content)))
    .digest('base64');
}

function withBytes(connection: Connection, found: ReadonlyMap<number, Omit<Prunable, 'bytes'>>): Prunable[] {
  const size = (column: string): string => `coalesce(length(CAST(${column} AS BLOB)), 0)`;
  const sql = `SELECT s.id, ${['e.payload_json', 's.text', 's.terms', 'v.vector'].map(size).join(' + ')} AS bytes
    FROM json_each(?) j JOIN summaries s ON s.id = j.value JOIN events e ON e.id = s.event_id
      LEFT JOIN summary_embeddings v ON v.summary_id = s.id ORDER BY s.ts, s.id`;
  return connection.all(sql, JSON.stringify([...found.keys()])).flatMap((row) => {
    const one = found.get(number(row, 'id'));
    return one === undefined ? [] : [{ ...one, bytes: number(row, 'bytes') }];
  });
}
