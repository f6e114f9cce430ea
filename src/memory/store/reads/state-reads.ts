import { memoryKinds } from '#core/event';
import { comparableForm } from '#reading/comparable';
import { number, rowReader, text, textOrNull } from '../row.ts';
import { originColumns } from '../tables/origin.ts';
import { Table } from '../tables/table.ts';

const laterOfOneMax = 20;
/** So many runs of strangers cost no more. */
const laterReadMax = 2_000;
/** Parsing a longer one would hold up the thread. */
const payloadCharsMax = 1_048_576;

/** A stored call or message with what can be compared of it, or its payload. */
export type Stored = ReturnType<typeof readStoredRow>;
const readStoredRow = rowReader({
  id: number,
  ts: text,
  kind: (row, column) => memoryKinds.find((kind) => kind === text(row, column)) ?? 'call',
  comparable: textOrNull,
  payloadJson: text,
});

type Dated = Pick<Stored, 'id' | 'ts' | 'author'>;

/** A run of a check or a command, by the key of its subject. */
export type LaterRun = ReturnType<typeof readLaterRun>;
const readLaterRun = rowReader({ id: number, ts: text, key: number, outcome: text });

/** The reads behind the state of memories, all by an index. */
export class StateReads extends Table {
  /** The existing calls and messages of `ids`, with '' for a payload that is very long or not needed; digests have none and are left out. */
  stored(ids: readonly number[]): Stored[] {
    const sql = `SELECT s.id, s.ts, e.kind, c.json AS comparable,
        CASE WHEN c.json IS NULL AND length(e.payload_json) <= ${payloadCharsMax} THEN e.payload_json ELSE '' END AS payload_json${originColumns}
      FROM summaries s JOIN events e ON e.id = s.event_id
      LEFT JOIN comparables c ON c.summary_id = s.id AND c.form = ${comparableForm}
      WHERE s.id IN (SELECT value FROM json_each(?))`;
    return this.connection.all(sql, JSON.stringify(ids)).map(readStoredRow);
  }

  /**
   * The last runs of each of `keys` that passed or failed after a memory, newest first: those of the user and of who recorded the memory,
   * or those of everybody else.
   */
  laterRuns(keys: readonly number[], { id, ts, author }: Dated, ofOthers = false): LaterRun[] {
    const sql = `SELECT s.id, s.ts, j.key, j.outcome${originColumns} FROM (SELECT * FROM subjects WHERE key = ?1 AND outcome IN ('passed', 'failed')
        ORDER BY summary_id DESC LIMIT ${laterReadMax}) j JOIN summaries s ON s.id = j.summary_id JOIN events e ON e.id = s.event_id
      WHERE s.id <> ?2 AND (s.ts > ?3 OR (s.ts = ?3 AND s.id > ?2)) AND (e.is_foreign = 0 OR e.author IS ?4) IS NOT ?5
      ORDER BY j.summary_id DESC LIMIT ${laterOfOneMax}`;
    // Most memories have no strangers: looking for theirs among all runs of a check takes longest.
    if (ofOthers && !this.connection.has('SELECT 1 FROM events WHERE is_foreign <> 0 LIMIT 1')) return [];
    return keys
      .flatMap((key) =>
        this.connection.all(sql, key, id, ts, author ?? null, ofOthers ? 1 : 0).map(readLaterRun),
      )
      .sort((one, other) => (one.ts === other.ts ? other.id - one.id : one.ts < other.ts ? 1 : -1));
  }
}
