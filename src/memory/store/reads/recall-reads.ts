import { messageTools, noteTool } from '#core/event';
import { matchExpression, mostTelling, queryTerms } from '#reading/terms';
import { number, numberOrNull, rowReader, text } from '../row.ts';
import { isNoHelper } from '../tables/copies.ts';
import { type Summary, SummaryTable } from '../tables/summaries.ts';
import { Table } from '../tables/table.ts';

/** A memory with its call. */
export interface RecalledCall extends Summary {
  readonly payloadJson: string;
}

/** A call of a session; `id` is null while it has no memory. */
export type SessionCall = ReturnType<typeof readSessionCall>;
const readSessionCall = rowReader({ id: numberOrNull, ts: text, payloadJson: text });

/** A note that the user accepted as a rule: what it is said at, and its words. */
export type Rule = ReturnType<typeof readRule>;
const readRule = rowReader({ id: number, ts: text, on: text, form: text, text });

/** What the user typed, or said when refusing a call. */
export type Said = ReturnType<typeof readSaid>;
const readSaid = rowReader({ id: number, ts: text, sessionId: text, text });

const saidMax = 10_000;

/** The reads for recall, all by an index, since an assistant waits. Everything returned is older than `before`. */
export class RecallReads extends Table {
  readonly #summaries = new SummaryTable(this);

  newest(): number {
    return Number(this.connection.get('SELECT coalesce(max(id), 0) AS id FROM summaries')?.id ?? 0);
  }

  /** The user's rules above `after`, oldest first; never those of another author. A rule without its pin is removed. */
  rules(after = 0): Rule[] {
    const sql = `SELECT s.id, s.ts, e.payload_json ->> '$.input.rule.on' AS "on",
        e.payload_json ->> '$.input.rule.form' AS form, e.payload_json ->> '$.output' AS text
      FROM summaries s JOIN events e ON e.id = s.event_id
      WHERE s.id > ? AND s.pinned <> 0 AND s.pinned_by IS NULL AND e.tool = '${noteTool}' AND e.role = 'user' AND e.is_foreign = 0
        AND json_valid(e.payload_json) AND e.payload_json ->> '$.input.rule.form' <> '' ORDER BY s.id`;
    return this.connection.all(sql, after).map(readRule);
  }

  /** The user's own words, oldest first; what an assistant asks a sub-agent is not. */
  said(): Said[] {
    const sql = `SELECT * FROM (SELECT s.id, e.ts, e.session_id, e.payload_json ->> '$.output' AS text
      FROM events e JOIN summaries s ON s.event_id = e.id
      WHERE e.is_foreign = 0 AND json_valid(e.payload_json) AND (
        (e.tool = '${messageTools.user}' AND e.payload_json ->> '$.message.agentId' IS NULL AND e.${isNoHelper})
        OR (coalesce(e.payload_json ->> '$.refused', 0) AND instr(e.payload_json, 'the user said:') > 0)) ORDER BY e.ts DESC LIMIT ${saidMax}) ORDER BY ts`;
    return this.connection.all(sql).map(readSaid);
  }

  /** Ids of the last stored memories about `key`, newest first; with `outcomes`, only those with one of these. */
  about(key: number, before: string, limit: number, outcomes: readonly string[] = []): number[] {
    const sql = `SELECT j.summary_id FROM subjects j JOIN summaries s ON s.id = j.summary_id
      WHERE j.key = ?1 AND s.ts < ?2 AND (?3 = '[]' OR j.outcome IN (SELECT value FROM json_each(?3)))
      ORDER BY j.summary_id DESC LIMIT ?4`;
    return this.connection.numbers(sql, key, before, JSON.stringify(outcomes), limit);
  }

  /** Ids of memories of failed calls that hold all of the `wordsMax` most significant words of `words`; newest first. */
  failedWith(words: string, wordsMax: number, before: string, limit: number): number[] {
    const terms = mostTelling(queryTerms(words), wordsMax, ({ weightHint }) => weightHint);
    const each = terms.flatMap((term) => matchExpression([term]) ?? []);
    if (each.length === 0) return [];
    const sql = `SELECT f.rowid AS id FROM summaries_fts f JOIN summaries s ON s.id = f.rowid
      WHERE summaries_fts MATCH ? AND s.ts < ?
        AND EXISTS (SELECT 1 FROM subjects j WHERE j.summary_id = f.rowid AND j.outcome = 'failed')
      ORDER BY f.rowid DESC LIMIT ?`;
    return this.connection.numbers(sql, each.join(' AND '), before, limit);
  }

  /** The existing memories of `ids`, latest event first. */
  calls(ids: readonly number[]): RecalledCall[] {
    return this.#summaries
      .get([...new Set(ids)])
      .flatMap((summary) => {
        const payloadJson = this.#summaries.payloadJson(summary.id);
        return payloadJson === null ? [] : [{ ...summary, payloadJson }];
      })
      .sort((one, other) => (one.ts === other.ts ? other.id - one.id : one.ts < other.ts ? 1 : -1));
  }

  /** The `limit` own calls of a session after a time, oldest first. */
  after(sessionId: string, ts: string, before: string, limit: number): SessionCall[] {
    const sql = `SELECT s.id, e.ts, e.payload_json FROM events e LEFT JOIN summaries s ON s.event_id = e.id
      WHERE e.session_id = ? AND e.ts > ? AND e.ts < ? AND e.is_foreign = 0 ORDER BY e.ts, e.seq LIMIT ?`;
    return this.connection.all(sql, sessionId, ts, before, limit).map(readSessionCall);
  }
}
