import type { Connection } from './connection.ts';

/**
 * Makes the lexical index take the terms of a removed row out of its segments, where it would else only note that they
 * are gone (https://www.sqlite.org/fts5.html#the_secure_delete_configuration_option). Kept in the database; from the
 * first removal on, an SQLite before 3.42 cannot read the index.
 */
export function eraseRemovedTerms(connection: Connection): void {
  const set = connection.get("SELECT 1 FROM summaries_fts_config WHERE k = 'secure-delete' AND v = 1");
  if (set !== undefined) return;
  connection.run("INSERT INTO summaries_fts (summaries_fts, rank) VALUES ('secure-delete', 1)");
}

/**
 * Empties the file that commits go through first: it still holds what a page said before. Answers whether that was
 * possible; a reader elsewhere, or a writer, can be in the way for longer than `busyTimeoutMs`.
 */
export function emptyWal(connection: Connection): boolean {
  return connection.get('PRAGMA wal_checkpoint(TRUNCATE)')?.busy === 0;
}
