import { number, rowReader } from '../row.ts';
import type { Store } from '../store.ts';
import { memoryOfSql, notIndexed } from './passages.ts';

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
