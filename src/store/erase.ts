import type { Connection } from './connection.ts';

/**
 * Writes the lexical index anew without the terms of removed rows, which its segments would else only note as gone. Costs
 * time in proportion to the index, so it is for a removal that someone asked for. FTS5's own `secure-delete` does it bit by
 * bit, but from then on an SQLite before 3.42, as operators' shells have, cannot read the index.
 */
export function eraseRemovedTerms(connection: Connection): void {
  connection.run("INSERT INTO summaries_fts (summaries_fts) VALUES ('optimize')");
}

/**
 * Empties the file that commits go through first: it still holds what a page said before. Answers whether that was
 * possible; a reader elsewhere, or a writer, can be in the way for longer than `busyTimeoutMs`.
 */
export function emptyWal(connection: Connection): boolean {
  return connection.get('PRAGMA wal_checkpoint(TRUNCATE)')?.busy === 0;
}
