import type { Connection } from '../connection.ts';
import { currentVersion } from './migrate.ts';

/** What each schema added to tables, with the value that its migration gives to existing rows. */
const addedColumns = [
  [5, 'events', "'call' AS kind, NULL AS role, NULL AS turn_id"],
  [5, 'digests', 'NULL AS id, 0 AS pinned'],
  [6, 'events', 'NULL AS device, NULL AS author, 0 AS is_foreign'],
  [6, 'digests', 'NULL AS device, NULL AS author, 0 AS is_foreign, NULL AS pinned_by'],
  [6, 'summaries', 'NULL AS pinned_by'],
] as const;

const addedTables = {
  accounts: 'session_id, form, account',
  comparables: 'summary_id, form, json',
  incomplete: 'event_id',
  session_links: 'session_id, parent, kind',
  settings: 'name, value',
};

/**
 * Lets a connection that only reads see an older database as one of this schema: views and empty tables of its own, which SQLite finds
 * before those of the file.
 */
export function readAsCurrent(connection: Connection): void {
  const version = currentVersion(connection);
  for (const table of ['events', 'summaries', 'digests']) {
    const columns = addedColumns.filter(([since, of]) => of === table && since > version);
    const list = ['*', ...columns.map(([, , values]) => values)].join(', ');
    if (columns.length > 0) connection.exec(`CREATE TEMP VIEW ${table} AS SELECT ${list} FROM main.${table}`);
  }
  for (const [table, columns] of Object.entries(addedTables))
    if (!connection.hasTable(table)) connection.exec(`CREATE TEMP TABLE ${table} (${columns})`);
}
