import { messageTools, type ToolEvent } from '#core/event';
import { leaseMs, leaseSkewMs } from '#core/limits';
import { flag, number, rowReader, text, textOrNull } from '../row.ts';
import { Copies, nativeKeys } from './copies.ts';
import { DuplicateCalls } from './duplicates.ts';
import { EventInsertion, type Inserted } from './event-insertion.ts';
import { IncompleteEvents } from './incomplete.ts';
import { Table } from './table.ts';

/** A raw row that this drainer holds until its lease ends. */
export type Claimed = ReturnType<typeof readClaimed>;
const claimedShape = { seq: number, id: text, payloadJson: text, attempts: number };
const readClaimed = rowReader(claimedShape);

/** A summarised row that this drainer holds to replace its builtin summary by a better one. */
export type Refinable = ReturnType<typeof readRefinable>;
const readRefinable = rowReader({ ...claimedShape, ts: text, summaryId: number });

/** The captured calls, the leases of drainers, and the status of each call. */
export class EventTable extends Table {
  readonly #duplicateCalls = new DuplicateCalls(this);
  readonly #incomplete = new IncompleteEvents(this);
  readonly #insertion = new EventInsertion(this, (ids) => this.known(ids));

  /** Stores the events that are neither known nor forgotten; see `EventInsertion`. */
  insert(events: readonly ToolEvent[]): Inserted {
    return this.#insertion.insert(events);
  }

  /** The events whose content an earlier version left out. */
  countIncomplete(): number {
    return this.#incomplete.count();
  }

  /** The time of the newest event; null without events. */
  newestTs(): string | null {
    return textOrNull(this.connection.get('SELECT max(ts) AS ts FROM events') ?? {}, 'ts');
  }

  /**
   * What `insert` would find for each event: that it is known, or else the stored events that may be the same call, the
   * likeliest first, and what its copies in other sessions are recognised by. Writes nothing.
   */
  preview(events: readonly ToolEvent[]) {
    const known = this.known(events.map((event) => event.id));
    const copies = new Copies(this);
    return events.map((event) => {
      const keys = nativeKeys(event);
      if (known.has(event.id) || copies.originalOf(event, keys) !== null)
        return { known: true, duplicates: [], keys };
      return {
        ...{ known: false, keys },
        duplicates: this.#duplicateCalls.concerns(event) ? this.#duplicateCalls.candidates(event) : [],
      };
    });
  }

  /** Those of `ids` that are stored, stored under another id, or forgotten. */
  known(ids: readonly string[]): Set<string> {
    const sql = `SELECT id FROM events WHERE id IN (SELECT value FROM json_each(?1))
      UNION SELECT id FROM paired WHERE id IN (SELECT value FROM json_each(?1))
      UNION SELECT event_id FROM forgotten WHERE event_id IN (SELECT value FROM json_each(?1))`;
    return new Set(this.connection.texts(sql, JSON.stringify(ids)));
  }

  /**
   * Leases up to `limit` raw rows after `afterSeq`, oldest first, that no valid lease holds. Two drainers never get the same row:
   * the claim is one write transaction. A lease that ends more than `leaseSkewMs` after a new one was taken by a clock that has
   * been set back since: it is not valid, and its owner finds the row gone.
   */
  claim(owner: string, afterSeq: number, limit: number, nowMs: number): Claimed[] {
    const sql = `
      UPDATE events SET lease_owner = ?, lease_until = ?
      WHERE seq IN (SELECT seq FROM events WHERE status = 'raw' AND seq > ?
        AND NOT (lease_until > ? AND lease_until <= ?) ORDER BY seq LIMIT ?)
      RETURNING seq, id, CAST(payload_json AS TEXT) AS payload_json, attempts`;
    const until = nowMs + leaseMs;
    return this.connection
      .transaction(() => this.connection.all(sql, owner, until, afterSeq, nowMs, until + leaseSkewMs, limit))
      .map(readClaimed)
      .sort((a, b) => a.seq - b.seq);
  }

  /**
   * Leases up to `limit` summarised rows with a builtin summary, newest first and older than `behind`, that no valid lease holds
   * and that have not failed `attemptsMax` times. They stay `summarized`. A payload that retention has shrunk gives no better
   * summary.
   */
  claimBuiltin(
    owner: string,
    behind: Pick<Refinable, 'ts' | 'summaryId'> | null,
    attemptsMax: number,
    limit: number,
    nowMs: number,
  ): Refinable[] {
    const sql = `
      UPDATE events SET lease_owner = ?, lease_until = ?
      WHERE seq IN (SELECT e.seq FROM summaries s JOIN events e ON e.id = s.event_id
        WHERE s.model = 'builtin' AND (s.ts, s.id) < (?, ?) AND e.status = 'summarized' AND e.attempts < ? AND e.shrunk <= 0
        AND NOT (e.lease_until > ? AND e.lease_until <= ?) ORDER BY s.ts DESC, s.id DESC LIMIT ?)
      RETURNING seq, id, CAST(payload_json AS TEXT) AS payload_json, attempts, ts, (SELECT s.id FROM summaries s WHERE s.event_id = events.id) AS summary_id`;
    const { ts, summaryId } = behind ?? { ts: '\u{10ffff}', summaryId: 0 };
    const until = nowMs + leaseMs;
    const held = [nowMs, until + leaseSkewMs] as const;
    return this.connection
      .transaction(() => this.connection.all(sql, owner, until, ts, summaryId, attemptsMax, ...held, limit))
      .map(readRefinable)
      .sort((a, b) => (a.ts === b.ts ? b.summaryId - a.summaryId : a.ts < b.ts ? 1 : -1));
  }

  /** Whether a row after `afterSeq` waits for its summary. */
  someRaw(afterSeq = 0): boolean {
    return this.connection.has("SELECT 1 FROM events WHERE status = 'raw' AND seq > ? LIMIT 1", afterSeq);
  }

  /** Whether a builtin summary can be refined: one that has not failed `attemptsMax` times. */
  someBuiltin(attemptsMax: number): boolean {
    const sql = `SELECT 1 FROM summaries s JOIN events e ON e.id = s.event_id
      WHERE s.model = 'builtin' AND e.status = 'summarized' AND e.attempts < ? AND e.shrunk <= 0 LIMIT 1`;
    return this.connection.has(sql, attemptsMax);
  }

  /**
   * The payloads of the calls around a message, nearest first, at most `limit` on each side: those of its session behind the last
   * user message and up to the next one, as far as retention has left them whole.
   */
  turn(seq: number, limit: number): { readonly before: string[]; readonly after: string[] } {
    const side = (comparison: '<' | '>', order: 'DESC' | 'ASC'): string[] => {
      const sql = `
        SELECT e.tool, e.payload_json, e.shrunk > 0 AS is_shrunk FROM events AS own JOIN events AS e
          ON e.session_id = own.session_id AND (e.ts, e.seq) ${comparison} (own.ts, own.seq)
        WHERE own.seq = ? AND own.session_id <> '' AND e.tool <> '${messageTools.assistant}'
        ORDER BY e.ts ${order}, e.seq ${order} LIMIT ?`;
      const rows = this.connection.all(sql, seq, limit);
      const end = rows.findIndex((row) => text(row, 'tool') === messageTools.user || flag(row, 'is_shrunk'));
      return rows.slice(0, end < 0 ? rows.length : end).map((row) => text(row, 'payload_json'));
    };
    return { before: side('<', 'DESC'), after: side('>', 'ASC') };
  }

  /** Extends the leases of rows whose answer takes long. */
  renew(owner: string, seqs: readonly number[], nowMs: number): void {
    const sql =
      'UPDATE events SET lease_until = ? WHERE lease_owner = ? AND seq IN (SELECT value FROM json_each(?))';
    this.connection.run(sql, nowMs + leaseMs, owner, JSON.stringify(seqs));
  }

  /** Gives rows back untouched: an outage counts against nobody. */
  release(owner: string, seqs: readonly number[]): void {
    const sql = `UPDATE events SET lease_owner = NULL, lease_until = 0
      WHERE lease_owner = ? AND seq IN (SELECT value FROM json_each(?))`;
    this.connection.run(sql, owner, JSON.stringify(seqs));
  }

  /** Who holds rows at this moment. */
  leaseOwners(nowMs: number): string[] {
    const sql = `SELECT DISTINCT lease_owner FROM events
      WHERE lease_owner IS NOT NULL AND lease_until > ?`;
    return this.connection.texts(sql, nowMs);
  }

  /** Gives back what a drainer that is gone held. */
  releaseAll(owner: string): void {
    const sql = 'UPDATE events SET lease_owner = NULL, lease_until = 0 WHERE lease_owner = ?';
    this.connection.run(sql, owner);
  }

  /** Counts a failed attempt of one row; with the last one it becomes `skipped`. Answers the new status. */
  fail(owner: string, seq: number, error: string, attemptsMax: number): 'raw' | 'skipped' | 'lost' {
    const sql = `
      UPDATE events SET attempts = attempts + 1, last_error = ?, lease_owner = NULL, lease_until = 0,
        status = CASE WHEN attempts + 1 >= ? THEN 'skipped' ELSE 'raw' END
      WHERE seq = ? AND lease_owner = ? AND status = 'raw' RETURNING status`;
    const row = this.connection.get(sql, error, attemptsMax, seq, owner);
    if (row === undefined) return 'lost';
    return text(row, 'status') === 'skipped' ? 'skipped' : 'raw';
  }

  /**
   * Counts a failed attempt to refine one row. It keeps the summary it has and stays `summarized`; with the last attempt it is
   * not claimed again. `attempts` is reset by each finished summary, so that only refining counts here.
   */
  failRefinement(owner: string, seq: number, error: string, attemptsMax: number) {
    const sql = `
      UPDATE events SET attempts = attempts + 1, last_error = ?, lease_owner = NULL, lease_until = 0
      WHERE seq = ? AND lease_owner = ? AND status = 'summarized' RETURNING attempts`;
    const row = this.connection.get(sql, `not refined: ${error}`, seq, owner);
    if (row === undefined) return 'lost';
    return number(row, 'attempts') >= attemptsMax ? 'given up' : 'kept';
  }
}
