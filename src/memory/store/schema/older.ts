import type { Connection } from '../connection.ts';
import { currentVersion } from './migrate.ts';

/** What schema 6 added to tables, with the value that its step gives to existing rows. */
const addedColumns = {
  events: "'call' AS kind, NULL AS role, NULL AS turn_id, NULL AS device, NULL AS author, 0 AS is_foreign",
  summaries: 'NULL AS pinned_by',
  digests: 'NULL AS id, 0 AS pinned, NULL AS device, NULL AS author, 0 AS is_foreign, NULL AS pinned_by',
};

/** The tables of schema 7 that are read. */
const addedTables = {
  accounts: 'session_id, form, account',
  comparables: 'summary_id, form, json',
  incomplete: 'event_id',
  session_links: 'session_id, parent, kind',
};

/**
 * Lets a connection that only reads see an older database as one of this schema: views and empty tables of its own, which SQLite finds
 * before those of the file.
 */
export function readAsCurrent(connection: Connection): void {
  const version = currentVersion(connection);
  if (version < 6)
    for (const [table, columns] of Object.entries(addedColumns))
      connection.exec(`CREATE TEMP VIEW ${table} AS SELECT *, ${columns} FROM main.${table}`);
  for (const [table, columns] of Object.entries(addedTables))
    if (!connection.hasTable(table)) connection.exec(`CREATE TEMP TABLE ${table} (${columns})`);
}
