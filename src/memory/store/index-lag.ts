import { number } from './row.ts';
import type { Store } from './store.ts';

/** How far the lexical index is from the summaries. */
export interface IndexLag {
  /** Summaries that are not in it. */
  readonly missing: number;
  /** Entries of summaries that are gone. */
  readonly surplus: number;
}

/**
 * Compares ids alone: `summaries_fts_docsize` has a row an entry (https://www.sqlite.org/fts5.html, "External content
 * and contentless tables"). 100,000 summaries: some 50 ms.
 */
export function indexLag({ connection }: Pick<Store, 'connection'>): IndexLag {
  const row = connection.get(`SELECT
    (SELECT count(*) FROM summaries s WHERE NOT EXISTS (SELECT 1 FROM summaries_fts_docsize d WHERE d.id = s.id)) AS missing,
    (SELECT count(*) FROM summaries_fts_docsize d WHERE NOT EXISTS (SELECT 1 FROM summaries s WHERE s.id = d.id)) AS surplus`);
  return { missing: number(row ?? {}, 'missing'), surplus: number(row ?? {}, 'surplus') };
}

/** Writes the index anew, all of it. Answers how many summaries are in it then. */
export function repairIndex({ connection, summaries }: Pick<Store, 'connection' | 'summaries'>): number {
  connection.transaction(() => connection.exec('DELETE FROM summaries_fts'));
  // A kill in between leaves an empty one, which the next opening fills.
  return summaries.rebuildIndex();
}
