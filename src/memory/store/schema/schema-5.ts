import { indexText } from '../../../reading/terms/index.ts';
import type { Connection } from '../connection.ts';
import { number, text } from '../row.ts';

const passages = 64;
const further = 2 ** 40;

/**
 * Schema 5: an event is a call or a message, and a digest is found by search. `prompts`, which held what users typed before, is only
 * read from now on: its rows have no turn, and `memd backfill` stores the messages of the same transcripts.
 */
export function schema5(connection: Connection): void {
  connection.exec(columns);
  const sql = 'SELECT id, text, terms FROM digests ORDER BY id';
  const insert = 'INSERT INTO summaries_fts (rowid, text, terms) VALUES (?, ?, ?)';
  for (const row of connection.all(sql))
    connection.run(insert, number(row, 'id'), indexText(text(row, 'text')), indexText(text(row, 'terms')));
}

const columns = `
  ALTER TABLE events ADD COLUMN kind TEXT NOT NULL DEFAULT 'call' CHECK (kind IN ('call', 'message'));
  ALTER TABLE events ADD COLUMN role TEXT CHECK (role IN ('user', 'assistant'));
  ALTER TABLE events ADD COLUMN turn_id TEXT;
  CREATE INDEX events_messages ON events (session_id, ts) WHERE kind = 'message';

  -- The ids of digests and summaries are of one sequence: a hit of any kind has one number.
  ALTER TABLE digests ADD COLUMN id INTEGER;
  ALTER TABLE digests ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
  INSERT INTO sqlite_sequence (name, seq)
    SELECT 'summaries', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'summaries');
  UPDATE digests SET id = (SELECT seq FROM sqlite_sequence WHERE name = 'summaries')
    + (SELECT count(*) FROM digests d WHERE d.session_id <= digests.session_id);
  UPDATE sqlite_sequence SET seq = max(seq, (SELECT coalesce(max(id), 0) FROM digests)) WHERE name = 'summaries';
  CREATE UNIQUE INDEX digests_id ON digests (id);

  -- A message has an index row for each passage: the first has the id of its summary, the others are above 2^40.
  DROP TRIGGER summaries_forget;
  CREATE TRIGGER summaries_forget AFTER DELETE ON summaries BEGIN
    DELETE FROM summaries_fts WHERE rowid = old.id;
    DELETE FROM summaries_fts WHERE rowid BETWEEN ${further} + old.id * ${passages} AND ${further} + old.id * ${passages} + ${passages - 1};
  END;
  CREATE TRIGGER digests_unindex AFTER DELETE ON digests BEGIN
    DELETE FROM summaries_fts WHERE rowid = old.id;
  END;
`;
