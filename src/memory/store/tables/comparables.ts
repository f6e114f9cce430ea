import type { Connection } from '../connection.ts';

/**
 * What of a memory can be compared with the project, as JSON (`reading/comparable`), read of its event by the curator. It is derived: it goes
 * with its memory and when the recorded call changes by any writer, and is neither exported nor synchronised. A memory without one
 * is read from its event.
 */
const schema = `
  CREATE TABLE comparables (
    summary_id INTEGER PRIMARY KEY REFERENCES summaries (id) ON DELETE CASCADE,
    form INTEGER NOT NULL,
    json TEXT NOT NULL
  );
  CREATE TRIGGER comparables_update AFTER UPDATE OF payload_json ON events BEGIN
    DELETE FROM comparables WHERE summary_id = (SELECT id FROM summaries WHERE event_id = new.id);
  END;
`;

/** Adds the table to a database that lacks it, within the caller's transaction. */
export function addComparables(connection: Connection): void {
  if (!connection.hasTable('comparables')) connection.exec(schema);
}
