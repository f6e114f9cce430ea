import { number, rowReader, text, textOrNull } from '../row.ts';
import type { Store } from '../store.ts';
import { memoryOfSql, notIndexed } from './passages.ts';

/** The time of the last event of each client, ISO 8601. Reads every event. */
export function lastCaptures({ connection }: Pick<Store, 'connection'>): Map<string, string> {
  const rows = connection.all('SELECT client, max(ts) AS ts FROM events GROUP BY client');
  return new Map(rows.map((row) => [text(row, 'client'), text(row, 'ts')]));
}

/** `reason` is null if an operator skipped the rows. */
const readReason = rowReader({ reason: textOrNull, rows: number });

/** Why rows were skipped, the most frequent reason first. */
export function skipReasons({ connection }: Pick<Store, 'connection'>, limit: number) {
  const sql = `SELECT last_error AS reason, count(*) AS rows FROM events WHERE status = 'skipped'
    GROUP BY last_error ORDER BY count(*) DESC, last_error LIMIT ?`;
  return connection.all(sql, limit).map(readReason);
}

const memory = memoryOfSql('d.id');
const isMissing = (id: string): string =>
  `NOT EXISTS (SELECT 1 FROM summaries_fts_docsize d WHERE d.id = ${id})`;

const missingSummaries = `(SELECT count(*) FROM summaries s WHERE s.terms <> '${notIndexed}' AND ${isMissing('s.id')})`;

const readLag = rowReader({ missing: number, surplus: number });

/**
 * The summaries and digests without an entry in the lexical index, and the entries without one of them. Compares ids alone: `summaries_fts_docsize` has one row for each entry (https://www.sqlite.org/fts5.html#fts5_data_structures).
 * 100,000 summaries take about 50 ms.
 */
export function indexLag({ connection }: Pick<Store, 'connection'>) {
  const sql = `SELECT
    (SELECT count(*) FROM summaries_fts_docsize d WHERE NOT EXISTS (SELECT 1 FROM summaries s WHERE s.id = ${memory})
      AND NOT EXISTS (SELECT 1 FROM digests g WHERE g.id = d.id)) AS surplus,
    ${missingSummaries} + (SELECT count(*) FROM digests g WHERE text <> '' AND id IS NOT NULL AND ${isMissing('g.id')}) AS missing`;
  return readLag(connection.get(sql) ?? {});
}
