import { flag, number, numberOrNull, rowReader, text, textOrNull } from '../row.ts';
import { Table } from './table.ts';

/** Older rows are removed. */
export const givenRowsMax = 2_000;
const idsMax = 64;
const attributeMs = 10 * 60_000;

/** What memory gave to a session, once: ids of memories, and no text. */
export interface Given {
  /** Empty: not known. Of a tool, the hook names it afterwards. */
  readonly sessionId: string;
  /** The process that serves tools to one client; of a recall, the sub-agent that got it, or empty. */
  readonly server: string;
  /** `outline`, `recall`, `rule`, or the name of a tool. */
  readonly kind: string;
  readonly ids: readonly number[];
}

/** Without a session, that of its server: a process serves one client. */
const sessionOf = "coalesce(nullif(session_id, ''), nullif('mcp:' || server, 'mcp:'), '')";

type GivenRow = ReturnType<typeof readRow>;
const readRow = rowReader({ ts: text, sessionId: text, kind: text });

export type Telling = ReturnType<typeof readTelling> & {
  readonly memories: readonly ReturnType<typeof readToldMemory>[];
};
const readTelling = rowReader({ ts: text, sessionId: text, kind: text });
const readToldMemory = rowReader({
  id: number,
  /** Empty: it was forgotten. */
  text,
  /** The first later event of the session about a subject of the memory, and how it ended; null: none. */
  followedBy: numberOrNull,
  outcome: textOrNull,
});

const tellingMemories = `SELECT j.value AS id, coalesce(s.text, d.text, '') AS text, b.summary_id AS followed_by, b.outcome
  FROM given g, json_each(g.ids) j LEFT JOIN summaries s ON s.id = j.value LEFT JOIN digests d ON d.id = j.value
  LEFT JOIN subjects b ON (b.summary_id, b.key) = (SELECT later.id, same.key FROM subjects own
    CROSS JOIN subjects same ON same.key = own.key AND same.summary_id <> s.id
    CROSS JOIN summaries later ON later.id = same.summary_id CROSS JOIN events e ON e.id = later.event_id
    WHERE own.summary_id = s.id AND e.session_id = g.session_id AND e.seq > g.after_seq ORDER BY e.seq LIMIT 1)
  WHERE g.seq = ? ORDER BY j.key`;

/** The record of what was given to which session: the newest `givenRowsMax` rows, removed with the last event of their session. */
export class GivenTable extends Table {
  add(given: readonly Given[], nowMs: number): void {
    if (given.length === 0) return;
    const ts = new Date(nowMs).toISOString();
    const sql = `INSERT INTO given (ts, session_id, server, kind, after_seq, ids)
      VALUES (?, ?, ?, ?, (SELECT coalesce(max(seq), 0) FROM events), ?)`;
    this.connection.transaction(() => {
      for (const { sessionId, server, kind, ids } of given)
        this.connection.run(sql, ts, sessionId, server, kind, JSON.stringify(ids.slice(0, idsMax)));
      const old = `DELETE FROM given WHERE seq <= (SELECT max(seq) FROM given) - ${givenRowsMax}`;
      this.connection.run(old);
    });
  }

  /** A hook names the session of the tool call that was answered last. False when no such call waits for it. */
  attribute({ sessionId, kind }: Pick<Given, 'sessionId' | 'kind'>, nowMs: number): boolean {
    const since = new Date(nowMs - attributeMs).toISOString();
    const newest = `SELECT seq, server FROM given
      WHERE kind = ? AND server <> '' AND reported = 0 AND ts >= ? ORDER BY seq DESC LIMIT 1`;
    const row = this.connection.get(newest, kind, since);
    if (row === undefined) return false;
    const reported = 'UPDATE given SET reported = 1, session_id = ? WHERE seq = ?';
    this.connection.run(reported, sessionId, number(row, 'seq'));
    const others = "UPDATE given SET session_id = ? WHERE server = ? AND session_id = ''";
    this.connection.run(others, sessionId, text(row, 'server'));
    return true;
  }

  /** Changes whenever what the other reads find may have changed. */
  state(): string {
    const sql = `SELECT (SELECT count(*) || ' ' || coalesce(max(seq), 0) FROM given) AS given,
      (SELECT count(*) FROM given WHERE session_id = '') AS open,
      (SELECT max(seq) FROM events) AS event, (SELECT max(id) FROM summaries) AS summary,
      (SELECT min(id) FROM summaries WHERE curated = 0) AS uncurated`;
    return JSON.stringify(this.connection.get(sql) ?? {});
  }

  /** All rows, oldest first. */
  rows(): GivenRow[] {
    return this.connection
      .all(`SELECT ts, ${sessionOf} AS session_id, kind FROM given ORDER BY seq`)
      .map(readRow);
  }

  /** Whether recall has given one of these memories to a session, or to that sub-agent of it. */
  has({ sessionId, server }: Pick<Given, 'sessionId' | 'server'>, ids: readonly number[]): boolean {
    const sql = `SELECT 1 FROM given, json_each(ids) j WHERE session_id = ? AND server = ? AND given.kind IN ('recall', 'rule')
      AND j.value IN (SELECT value FROM json_each(?)) LIMIT 1`;
    return this.connection.has(sql, sessionId, server, JSON.stringify(ids));
  }

  /** What was said unasked, newest first, each with its memories as they are now. */
  tellings(limit: number): Telling[] {
    const sql = `SELECT seq, ts, session_id, kind FROM given
      WHERE kind IN ('outline', 'recall', 'rule') AND session_id <> '' ORDER BY seq DESC LIMIT ?`;
    return this.connection.all(sql, limit).map((row) => ({
      ...readTelling(row),
      memories: this.connection.all(tellingMemories, number(row, 'seq')).map(readToldMemory),
    }));
  }

  /** Each memory that a session was given, once, with what the session did with it afterwards. */
  uses(sessionId: string): Use[] {
    return this.connection.all(usesSql, sessionId).map(readUse);
  }
}

const readUse = rowReader({
  /** Empty: not a call. */
  tool: text,
  /** Whether its subjects are known. */
  isKnown: flag,
  /** Whether a later call concerns one of its subjects, and whether one by the same tool. */
  isTouched: flag,
  isRepeated: flag,
  /** Whether a tool read it later. */
  isRead: flag,
});
type Use = ReturnType<typeof readUse>;

/** The tools that read a memory of which an earlier answer gave the id. */
const reads = "('mem_get', 'mem_timeline', 'mem_why')";
const usesSql = `WITH
  own AS (SELECT g.seq, g.kind, g.after_seq, j.value AS id FROM given g, json_each(g.ids) j WHERE ${sessionOf} = ?1),
  first AS (SELECT id, min(seq) AS seq, after_seq FROM own WHERE kind NOT IN ${reads} GROUP BY id),
  later AS MATERIALIZED (SELECT b.key, e.tool, max(e.seq) AS seq FROM events e JOIN summaries s ON s.event_id = e.id
    JOIN subjects b ON b.summary_id = s.id WHERE e.session_id = ?1 GROUP BY b.key, e.tool),
  met AS (SELECT f.id, l.tool FROM first f JOIN subjects b ON b.summary_id = f.id
    JOIN later l ON l.key = b.key AND l.seq > f.after_seq)
  SELECT coalesce(e.tool, '') AS tool, EXISTS (SELECT 1 FROM subjects b WHERE b.summary_id = f.id) AS is_known,
    f.id IN (SELECT id FROM met) AS is_touched, (f.id, e.tool) IN (SELECT id, tool FROM met) AS is_repeated,
    EXISTS (SELECT 1 FROM own r WHERE r.id = f.id AND r.seq > f.seq AND r.kind IN ${reads}) AS is_read
  FROM first f LEFT JOIN summaries s ON s.id = f.id LEFT JOIN events e ON e.id = s.event_id AND e.kind = 'call'`;
