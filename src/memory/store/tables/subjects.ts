import { comparableForm } from '#reading/comparable';
import { number, rowReader, text } from '../row.ts';
import { originColumns } from './origin.ts';
import { Table } from './table.ts';

/** A subject of a summary, as it is stored. */
export interface SubjectKey {
  /** A hash of kind and name (`subjectKey` in `reading/subjects`). */
  readonly key: number;
  readonly outcome: string;
}

/** A summary with its call, as the curator needs it. */
export type Curable = ReturnType<typeof readCurable>;
const readCurable = rowReader({
  id: number,
  /** The event's time, ISO 8601. */
  ts: text,
  text,
  tool: text,
  sessionId: text,
  kind: text,
  payloadJson: text,
});

/** What summaries are about, and which of them the curator has not processed. */
export class SubjectTable extends Table {
  /** The `limit` lowest ids of summaries that the curator has not processed, by the time of their events. */
  uncurated(limit: number): number[] {
    const sql = `SELECT id FROM (SELECT id, ts FROM summaries WHERE curated = 0 ORDER BY id LIMIT ?) ORDER BY ts, id`;
    return this.connection.numbers(sql, limit);
  }

  /** The existing summaries of `ids`, in any order. */
  curable(ids: readonly number[], onlyUncurated = false): Curable[] {
    const sql = `SELECT s.id, s.ts, s.text, e.tool, e.session_id, e.kind, e.payload_json${originColumns}
      FROM json_each(?) j JOIN summaries s ON s.id = j.value JOIN events e ON e.id = s.event_id
      ${onlyUncurated ? 'WHERE s.curated = 0' : ''}`;
    return this.connection.all(sql, JSON.stringify(ids)).map(readCurable);
  }

  /** Replaces the subjects of a summary and what can be compared of it (JSON), and marks it as processed. */
  save(summaryId: number, subjects: readonly SubjectKey[], comparable: string | null = null): void {
    this.connection.run('DELETE FROM subjects WHERE summary_id = ?', summaryId);
    const sql = 'INSERT OR IGNORE INTO subjects (key, summary_id, outcome) VALUES (?, ?, ?)';
    for (const { key, outcome } of subjects) this.connection.run(sql, key, summaryId, outcome);
    const compared = 'INSERT OR REPLACE INTO comparables (summary_id, form, json) VALUES (?, ?, ?)';
    if (comparable !== null) this.connection.run(compared, summaryId, comparableForm, comparable);
    this.connection.run('UPDATE summaries SET curated = 1 WHERE id = ?', summaryId);
  }

  /** The ids of summaries about `key` next to `summaryId`: up to `limit` before it and up to `limit` after it. */
  near(key: number, summaryId: number, limit: number): number[] {
    const sql = `
      SELECT summary_id FROM (SELECT summary_id FROM subjects WHERE key = ?1 AND summary_id < ?2
        ORDER BY summary_id DESC LIMIT ?3)
      UNION ALL SELECT summary_id FROM (SELECT summary_id FROM subjects WHERE key = ?1 AND summary_id > ?2
        ORDER BY summary_id LIMIT ?3)`;
    return this.connection.numbers(sql, key, summaryId, limit);
  }

  /** The first `limit` summaries about `key`. */
  first(key: number, limit: number): number[] {
    const sql = 'SELECT summary_id FROM subjects WHERE key = ? ORDER BY summary_id LIMIT ?';
    return this.connection.numbers(sql, key, limit);
  }

  /** Whether a session had an event before a time. */
  hadBegun(sessionId: string, before: string): boolean {
    const sql = 'SELECT 1 FROM events WHERE session_id = ? AND ts < ? LIMIT 1';
    return this.connection.has(sql, sessionId, before);
  }

  /** Ids of the summaries of calls of one author (missing: the user) between two times, latest first, at most `limit`. */
  between(
    from: string,
    until: Pick<Curable, 'ts'> & { author?: string | undefined },
    limit: number,
  ): number[] {
    const sql = `SELECT s.id FROM summaries s JOIN events e ON e.id = s.event_id AND e.kind = 'call'
      WHERE s.ts > ? AND s.ts < ? AND iif(e.is_foreign, e.author, NULL) IS ? ORDER BY s.ts DESC, s.id DESC LIMIT ?`;
    return this.connection.numbers(sql, from, until.ts, until.author ?? null, limit);
  }
}
