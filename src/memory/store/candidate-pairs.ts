import { leaseSkewMs } from '../../core/limits.ts';
import type { Connection } from './connection.ts';
import type { Edge } from './edges.ts';
import { number, type Row } from './row.ts';

export const pairHeldMs = 240_000;

/** Two summaries of which no rule says how they stand to each other. */
export interface CandidatePair {
  /** The newer summary. */
  readonly from: number;
  readonly to: number;
  /** How telling it is that the two stand together; higher is more. */
  readonly weight: number;
}

/** A pair that a process asks about. */
export interface ClaimedPair extends CandidatePair {
  /** How often no sound answer came. */
  readonly attempts: number;
}

/** Pairs to ask a model about, and those it has been asked about: each once. Holds no text. */
export class CandidatePairTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Notes pairs that were not known. */
  add(candidatePairs: readonly CandidatePair[]): void {
    const sql = `INSERT OR IGNORE INTO doubts (from_id, to_id, weight)
      SELECT newer.id, older.id, ?3 FROM summaries newer, summaries older WHERE newer.id = ?1 AND older.id = ?2`;
    for (const { from, to, weight } of candidatePairs) this.#connection.run(sql, from, to, weight);
  }

  /** Whether there is a pair to ask about now. */
  someWaiting(nowMs: number): boolean {
    return this.#waiting(nowMs, 1).length > 0;
  }

  /**
   * The next pairs for one call, at most `limit`, held for `doubtHeldMs`: the most telling first, of these the newest. One that
   * had no sound answer comes last and by itself, so that what is wrong with it spoils no other.
   */
  claim(limit: number, nowMs: number): ClaimedPair[] {
    return this.#connection.transaction(() => {
      const rows = this.#waiting(nowMs, limit).map(claimedOf);
      const fresh = rows.filter(({ attempts }) => attempts === 0);
      const claimed = fresh.length > 0 ? fresh : rows.slice(0, 1);
      const sql = 'UPDATE doubts SET lease_until = ? WHERE from_id = ? AND to_id = ?';
      for (const { from, to } of claimed) this.#connection.run(sql, nowMs + pairHeldMs, from, to);
      return claimed;
    });
  }

  /** Gives pairs back as they were: nothing was learnt of them. */
  release(candidatePairs: readonly CandidatePair[]): void {
    const sql = 'UPDATE doubts SET lease_until = 0 WHERE from_id = ? AND to_id = ? AND verdict IS NULL';
    this.#connection.transaction(() => {
      for (const { from, to } of candidatePairs) this.#connection.run(sql, from, to);
    });
  }

  /** Counts an answer that was none; true when it was the last of `attemptsMax` and the pair is given up. The hold stays. */
  fail({ from, to }: CandidatePair, attemptsMax: number): boolean {
    const sql = `UPDATE doubts SET attempts = attempts + 1,
        verdict = CASE WHEN attempts + 1 >= ?3 THEN 'given up' ELSE NULL END
      WHERE from_id = ?1 AND to_id = ?2 AND verdict IS NULL RETURNING verdict`;
    const row = this.#connection.get(sql, from, to, attemptsMax);
    return row !== undefined && row.verdict !== null;
  }

  /**
   * Settles a pair, for good, with the edge that the answer makes or with none. An edge is stored only when nothing has
   * been found of the pair meanwhile. Whether one was.
   */
  settle({ from, to }: CandidatePair, edge: Edge | null): boolean {
    return this.#connection.transaction(() => {
      const sql = 'UPDATE doubts SET verdict = ? WHERE from_id = ? AND to_id = ? AND verdict IS NULL';
      if (this.#connection.run(sql, edge?.kind ?? 'neither', from, to) === 0 || edge === null) return false;
      const insert = `INSERT INTO edges (from_id, to_id, kind, evidence, ts) SELECT ?1, ?2, ?3, ?4, ?5
        WHERE NOT EXISTS (SELECT 1 FROM edges WHERE from_id IN (?1, ?2) AND to_id IN (?1, ?2))`;
      return this.#connection.run(insert, from, to, edge.kind, edge.evidence, edge.ts) > 0;
    });
  }

  /**
   * When more than `most` pairs wait: drops those that need no answer any more, and leaves three quarters of `most`, the most
   * telling. So it has something to do only now and then.
   */
  trim(most: number): void {
    const waiting = this.#connection.get('SELECT count(*) AS n FROM doubts WHERE verdict IS NULL') ?? {};
    if (number(waiting, 'n') <= most) return;
    this.#connection.run(`DELETE FROM doubts AS d WHERE verdict IS NULL AND NOT (${isOpen})`);
    const sql = `DELETE FROM doubts WHERE (from_id, to_id) IN (SELECT from_id, to_id FROM doubts
      WHERE verdict IS NULL AND attempts = 0 ORDER BY weight DESC, from_id DESC LIMIT -1 OFFSET ?)`;
    this.#connection.run(sql, Math.floor((most * 3) / 4));
  }

  /** A hold that ends much too late was taken by another clock. */
  #waiting(nowMs: number, limit: number): Row[] {
    const sql = `SELECT from_id, to_id, weight, attempts FROM doubts d
      WHERE verdict IS NULL AND NOT (lease_until > ?1 AND lease_until <= ?1 + ${pairHeldMs + leaseSkewMs})
        AND ${isOpen}
      ORDER BY attempts, weight DESC, from_id DESC, to_id DESC LIMIT ?2`;
    return this.#connection.all(sql, nowMs, limit);
  }
}

/** Of what has been replaced nobody needs to know more, nor of a pair that has an edge. */
const isOpen = `NOT EXISTS (SELECT 1 FROM edges WHERE kind = 'supersedes' AND to_id IN (d.from_id, d.to_id))
  AND NOT EXISTS (SELECT 1 FROM edges WHERE from_id IN (d.from_id, d.to_id) AND to_id IN (d.from_id, d.to_id))`;

function claimedOf(row: Row): ClaimedPair {
  return {
    from: number(row, 'from_id'),
    to: number(row, 'to_id'),
    weight: number(row, 'weight'),
    attempts: number(row, 'attempts'),
  };
}
