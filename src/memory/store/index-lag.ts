import { number } from './row.ts';
import type { Store } from './store.ts';
import { notIndexed } from './summaries.ts';

/** The differences between the lexical index and the summaries. */
export interface IndexLag {
  /** Summaries without an entry. */
  readonly missing: number;
  /** Entries without a summary. */
  readonly surplus: number;
}

/**
 * Compares ids alone: `summaries_fts_docsize` has one row for each entry (https://www.sqlite.org/fts5.html#fts5_data_structures).
 * 100,000 summaries take about 50 ms.
 */
export function indexLag({ connection }: Pick<Store, 'connection'>): IndexLag {
  const row = connection.get(`SELECT
    (SELECT count(*) FROM summaries s WHERE s.terms <> '${notIndexed}' AND NOT EXISTS (SELECT 1 FROM summaries_fts_docsize d WHERE d.id = s.id)) AS missing,
    (SELECT count(*) FROM summaries_fts_docsize d WHERE NOT EXISTS (SELECT 1 FROM summaries s WHERE s.id = d.id)) AS surplus`);
  return { missing: number(row ?? {}, 'missing'), surplus: number(row ?? {}, 'surplus') };
}

/** Rebuilds the whole index. Returns how many summaries it holds. */
export function repairIndex({ connection, summaries }: Pick<Store, 'connection' | 'summaries'>): number {
  connection.transaction(() => connection.exec('DELETE FROM summaries_fts'));
  // A kill in between leaves an empty index, which the next opening fills.
  return summaries.rebuildIndex();
}
