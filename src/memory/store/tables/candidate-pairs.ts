import { leaseSkewMs } from '#core/limits';
import { number, type Row, rowReader } from '../row.ts';
import type { Edge } from './edges.ts';
import { Table } from './table.ts';

export const pairHeldMs = 240_000;

/** Two summaries whose relation no rule decides. */
export interface CandidatePair {
  /** The id of the newer summary. */
  readonly from: number;
  readonly to: number;
  /** How significant the pair is; higher is more. */
  readonly weight: number;
}

/** A pair that a process is asking about. */
export type ClaimedPair = ReturnType<typeof readClaimed>;
const readClaimed = rowReader({
  from: (row) => number(row, 'from_id'),
  to: (row) => number(row, 'to_id'),
  weight: number,
  /** How many answers were invalid. */
  attempts: number,
});

/** Pairs of summaries to ask a model about, each once, and its verdicts. Holds no text. */
export class CandidatePairTable extends Table {
  /** Adds pairs that are not known. */
  add(candidatePairs: readonly CandidatePair[]): void {
    const sql = `INSERT OR IGNORE INTO doubts (from_id, to_id, weight)
      SELECT newer.id, older.id, ?3 FROM summaries newer, summaries older WHERE newer.id = ?1 AND older.id = ?2`;
    for (const { from, to, weight } of candidatePairs) this.connection.run(sql, from, to, weight);
  }

  /** Whether a pair waits now. */
  someWaiting(nowMs: number): boolean {
    return this.#waiting(nowMs, 1).length > 0;
  }

  /**
   * The next pairs for one model call, at most `limit`, held for `pairHeldMs`: the highest weight first, then the newest. A pair
   * that had an invalid answer comes last and alone, so that it cannot spoil the others.
   */
  claim(limit: number, nowMs: number): ClaimedPair[] {
    return this.connection.transaction(() => {
      const rows = this.#waiting(nowMs, limit).map(readClaimed);
      const fresh = rows.filter(({ attempts }) => attempts === 0);
      const claimed = fresh.length > 0 ? fresh : rows.slice(0, 1);
      const sql = 'UPDATE doubts SET lease_until = ? WHERE from_id = ? AND to_id = ?';
      for (const { from, to } of claimed) this.connection.run(sql, nowMs + pairHeldMs, from, to);
      return claimed;
    });
  }

  /** Ends the hold of pairs that got no answer. */
  release(candidatePairs: readonly CandidatePair[]): void {
    const sql = 'UPDATE doubts SET lease_until = 0 WHERE from_id = ? AND to_id = ? AND verdict IS NULL';
    this.connection.transaction(() => {
      for (const { from, to } of candidatePairs) this.connection.run(sql, from, to);
    });
  }

  /** Counts an invalid answer; true if it was the last of `attemptsMax` and the pair is given up. The hold stays. */
  fail({ from, to }: CandidatePair, attemptsMax: number): boolean {
    const sql = `UPDATE doubts SET attempts = attempts + 1,
        verdict = CASE WHEN attempts + 1 >= ?3 THEN 'given up' ELSE NULL END
      WHERE from_id = ?1 AND to_id = ?2 AND verdict IS NULL RETURNING verdict`;
    const row = this.connection.get(sql, from, to, attemptsMax);
    return row !== undefined && row.verdict !== null;
  }

  /**
   * Settles a pair for good, with an edge or with none. The edge is stored only if the pair has none by now. Returns whether it
   * was stored.
   */
  settle({ from, to }: CandidatePair, edge: Edge | null): boolean {
    return this.connection.transaction(() => {
      const sql = 'UPDATE doubts SET verdict = ? WHERE from_id = ? AND to_id = ? AND verdict IS NULL';
      if (this.connection.run(sql, edge?.kind ?? 'neither', from, to) === 0 || edge === null) return false;
      const insert = `INSERT INTO edges (from_id, to_id, kind, evidence, ts) SELECT ?1, ?2, ?3, ?4, ?5
        WHERE NOT EXISTS (SELECT 1 FROM edges WHERE from_id IN (?1, ?2) AND to_id IN (?1, ?2))`;
      return this.connection.run(insert, from, to, edge.kind, edge.evidence, edge.ts) > 0;
    });
  }

  /**
   * If more than `most` pairs wait: drops those that need no answer any more and keeps the three quarters of `most` with the
   * highest weight, so that it rarely has work to do.
   */
  trim(most: number): void {
    const waiting = this.connection.get('SELECT count(*) AS n FROM doubts WHERE verdict IS NULL') ?? {};
    if (number(waiting, 'n') <= most) return;
    this.connection.run(`DELETE FROM doubts AS d WHERE verdict IS NULL AND NOT (${isOpen})`);
    const sql = `DELETE FROM doubts WHERE (from_id, to_id) IN (SELECT from_id, to_id FROM doubts
      WHERE verdict IS NULL AND attempts = 0 ORDER BY weight DESC, from_id DESC LIMIT -1 OFFSET ?)`;
    this.connection.run(sql, Math.floor((most * 3) / 4));
  }

  /** A hold that ends too late was taken by a clock that has been set back since. */
  #waiting(nowMs: number, limit: number): Row[] {
    const sql = `SELECT from_id, to_id, weight, attempts FROM doubts d
      WHERE verdict IS NULL AND NOT (lease_until > ?1 AND lease_until <= ?1 + ${pairHeldMs + leaseSkewMs})
        AND ${isOpen}
      ORDER BY attempts, weight DESC, from_id DESC, to_id DESC LIMIT ?2`;
    return this.connection.all(sql, nowMs, limit);
  }
}

/** A superseded summary needs no answer, nor does a pair that has an edge. */
const isOpen = `NOT EXISTS (SELECT 1 FROM edges WHERE kind = 'supersedes' AND to_id IN (d.from_id, d.to_id))
  AND NOT EXISTS (SELECT 1 FROM edges WHERE from_id IN (d.from_id, d.to_id) AND to_id IN (d.from_id, d.to_id))`;
