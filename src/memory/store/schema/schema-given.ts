import type { Connection } from '../connection.ts';

/** What memory gave to which session: ids only. The trigger removes it with the last event of its session. */
const schema = `
  CREATE TABLE IF NOT EXISTS given (
    seq INTEGER PRIMARY KEY,
    ts TEXT NOT NULL,
    session_id TEXT NOT NULL DEFAULT '',
    server TEXT NOT NULL DEFAULT '',
    -- Whether a hook has reported this call of a tool.
    reported INTEGER NOT NULL DEFAULT 0,
    kind TEXT NOT NULL,
    after_seq INTEGER NOT NULL,
    ids TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS given_session ON given (session_id);
  CREATE TRIGGER IF NOT EXISTS given_forget AFTER DELETE ON events
  WHEN old.session_id <> '' AND NOT EXISTS (SELECT 1 FROM events WHERE session_id = old.session_id) BEGIN
    DELETE FROM given WHERE session_id = old.session_id;
  END;
`;

/** Adds the table to a database that lacks it, within the caller's transaction. */
export function addGiven(connection: Connection): void {
  connection.exec(schema);
}
