import { emptyWal, eraseRemovedTerms } from '../repair/erase.ts';
import { flag, number, rowReader, text, textOrNull } from '../row.ts';
import { indexDigest, nextId } from './digest-index.ts';
import { isPinned, sessionOriginColumns } from './origin.ts';
import { readSummary, type SummaryWithTerms } from './summaries.ts';
import { Table } from './table.ts';

/** The summary of a session. */
export type Digest = ReturnType<typeof readDigest>;
const readDigest = rowReader({
  sessionId: text,
  text,
  /** Further words for search. */
  terms: text,
  model: text,
  /** The time of the last event in it. */
  ts: text,
  /** The highest `seq` of the events in it. */
  lastSeq: number,
});

/** The account of a session as stored, and up to which event it goes; `json` is null until it is made. */
export type StoredAccount = ReturnType<typeof readStoredAccount>;
const readStoredAccount = rowReader({ json: textOrNull, lastSeq: number });

/** What stays when a digest is replaced. */
export interface Kept {
  readonly id: number;
  readonly pinned: boolean;
}

/** A session with events that its digest does not cover. */
export type StaleSession = ReturnType<typeof readStale>;
const readStale = rowReader({
  sessionId: text,
  lastSeq: number,
  lastTs: text,
  /** False: only its account is missing. */
  isBehind: flag,
});

export type EventPlace = Pick<SessionEvent, 'seq' | 'ts'>;
export type SessionEvent = ReturnType<typeof readEvent>;
const readEvent = rowReader({ seq: number, ts: text, payloadJson: text });

/** One digest for each session, and the reads needed to write it. */
export class DigestTable extends Table {
  /**
   * The sessions whose digest lacks an event after `afterSeq` or a new prompt, newest first; then those with an account of another form
   * than `form`, or none. Calls without a session have no digest.
   */
  stale(afterSeq: number, form: number): StaleSession[] {
    const sql = `
      SELECT session_id, max(seq) AS last_seq, CAST(max(ts) AS TEXT) AS last_ts, max(seq) > coalesce(
        (SELECT last_seq FROM digests WHERE digests.session_id = events.session_id), 0) AS is_behind FROM events
      WHERE session_id <> '' AND session_id IN (
        SELECT session_id FROM events WHERE seq > ?1 UNION ALL SELECT session_id FROM digests WHERE last_seq = 0
        UNION ALL SELECT session_id FROM digests d WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.session_id = d.session_id AND a.form = ?2))
      GROUP BY session_id
      HAVING is_behind OR NOT EXISTS (SELECT 1 FROM accounts a WHERE a.session_id = events.session_id AND a.form = ?2)
      ORDER BY is_behind DESC, last_ts DESC, last_seq DESC`;
    // A damaged row must not cost all sessions their accounts.
    const rows = this.connection.all(sql, afterSeq, form).filter((row) => typeof row.session_id === 'string');
    return rows.map(readStale);
  }

  /** One session as in `stale`; null if its digest is up to date or it has no event. */
  staleOne(sessionId: string): StaleSession | null {
    const sql = `SELECT ?1 AS session_id, max(seq) AS last_seq, CAST(max(ts) AS TEXT) AS last_ts, 1 AS is_behind FROM events WHERE session_id = ?1 AND ?1 <> ''
      HAVING last_seq > coalesce((SELECT last_seq FROM digests WHERE digests.session_id = ?1), 0)`;
    return this.connection.one(sql, readStale, sessionId);
  }

  /** The next events of a session up to `upToSeq` and after `after` (null: from the first), in the order of their time. */
  events(sessionId: string, upToSeq: number, after: EventPlace | null, limit: number): SessionEvent[] {
    const sql = `SELECT seq, ts, payload_json FROM events
      WHERE session_id = ?1 AND seq <= ?2 AND (ts, seq) > (?3, ?4) ${isOwn} ORDER BY ts, seq LIMIT ?5`;
    const behind = [after?.ts ?? '', after?.seq ?? 0] as const;
    return this.connection.all(sql, sessionId, upToSeq, ...behind, limit).map(readEvent);
  }

  /** How many events of a session go up to `upToSeq`, and of these only those up to `last` in time. */
  eventsUpTo(sessionId: string, upToSeq: number, last: EventPlace | null = null): number {
    const before = last === null ? '' : 'AND (ts, seq) <= (?3, ?4)';
    const sql = `SELECT count(*) AS n FROM events WHERE session_id = ?1 AND seq <= ?2 ${before} ${isOwn}`;
    const place = last === null ? [] : [last.ts, last.seq];
    return this.connection.number(sql, sessionId, upToSeq, ...place);
  }

  /** The highest `seq` of a session; 0 without an event. */
  lastSeqOf(sessionId: string): number {
    const sql = 'SELECT coalesce(max(seq), 0) AS seq FROM events WHERE session_id = ?';
    return this.connection.number(sql, sessionId);
  }

  /** Null without a digest. */
  account(sessionId: string): StoredAccount | null {
    const sql = `SELECT d.last_seq, a.account AS json FROM digests d LEFT JOIN accounts a ON a.session_id = d.session_id
      WHERE d.session_id = ?`;
    return this.connection.one(sql, readStoredAccount, sessionId);
  }

  /** Within a transaction, after `save`. */
  saveAccount(sessionId: string, form: number, json: string): void {
    const sql = `INSERT INTO accounts (session_id, form, account) VALUES (?, ?, ?)
      ON CONFLICT (session_id) DO UPDATE SET form = excluded.form, account = excluded.account`;
    this.connection.run(sql, sessionId, form, json);
  }

  /** Replaces the session's digest, unless that one covers later events. Its id and pin stay. Within a transaction. */
  save({ sessionId, text: words, terms, model, ts, lastSeq }: Digest, keep: Kept | null = null): void {
    const before = this.connection.get(
      'SELECT id, last_seq, text, terms FROM digests WHERE session_id = ?',
      sessionId,
    );
    if (before !== undefined && number(before, 'last_seq') > lastSeq) return;
    // What is written counts as changed, and is sent to other devices.
    if (before?.last_seq === lastSeq && before.text === words && before.terms === terms) return;
    const known = before?.id ?? keep?.id ?? null;
    const id = typeof known === 'number' ? known : nextId(this.connection);
    const sql = `
      INSERT INTO digests (session_id, text, terms, model, ts, last_seq, id, pinned) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (session_id) DO UPDATE SET text = excluded.text, terms = excluded.terms, model = excluded.model,
        ts = excluded.ts, last_seq = excluded.last_seq, id = excluded.id`;
    this.connection.run(sql, sessionId, words, terms, model, ts, lastSeq, id, keep?.pinned === true ? 1 : 0);
    indexDigest(this.connection, id, words, terms);
  }

  /** The digests of `ids` as hits show them, summaries of kind `session` without an event; most ids are of summaries. */
  hits(ids: readonly number[]): SummaryWithTerms[] {
    const sql = `SELECT id, '' AS event_id, NULL AS tool_use_id, text, model, ts, 'Session' AS tool, session_id, ${isPinned('digests')} AS pinned, pinned_by, 0 AS is_error,
        'session' AS kind, NULL AS role, NULL AS turn_id, terms${sessionOriginColumns('digests.session_id')}
      FROM digests WHERE text <> '' AND id IN (SELECT value FROM json_each(?))`;
    return this.connection
      .all(sql, JSON.stringify(ids))
      .map((row) => ({ ...readSummary(row), terms: text(row, 'terms') }));
  }

  /** Returns whether a digest has this id. */
  pin(id: number, pinned: boolean): boolean {
    const sql = 'UPDATE digests SET pinned = ?, pinned_by = NULL WHERE id = ?';
    return this.connection.run(sql, pinned ? 1 : 0, id) > 0;
  }

  /**
   * Empties a digest, so that search does not find it and no page shows it, until the session goes on. Its events stay. Returns whether
   * a digest has this id.
   */
  forget(id: number): boolean {
    const sql = "UPDATE digests SET text = '', terms = '', pinned = 0, pinned_by = NULL WHERE id = ?";
    const forgotten = this.connection.transaction(() => {
      if (this.connection.run(sql, id) === 0) return false;
      this.connection.run(
        "UPDATE accounts SET account = '' WHERE session_id = (SELECT session_id FROM digests WHERE id = ?)",
        id,
      );
      indexDigest(this.connection, id, '', '');
      eraseRemovedTerms(this.connection);
      return true;
    });
    if (forgotten) emptyWal(this.connection);
    return forgotten;
  }

  /** The id and the user's own pin of a session's digest, for `save` after its removal. */
  kept(sessionId: string): Kept | null {
    const row = this.connection.get(
      'SELECT id, pinned AND pinned_by IS NULL AS pinned FROM digests WHERE session_id = ?',
      sessionId,
    );
    return typeof row?.id === 'number' ? { id: row.id, pinned: flag(row, 'pinned') } : null;
  }

  get(sessionId: string): Digest | null {
    const sql = 'SELECT session_id, text, terms, model, ts, last_seq FROM digests WHERE session_id = ?';
    return this.connection.one(sql, readDigest, sessionId);
  }
}

/** What another author recorded never joins an own session. */
const isOwn =
  'AND (is_foreign = 0 OR NOT EXISTS (SELECT 1 FROM events o WHERE o.session_id = ?1 AND o.is_foreign = 0))';
