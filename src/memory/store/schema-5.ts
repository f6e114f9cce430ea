/**
 * Schema 5: an event is a call or a message. `prompts`, which held what users typed before, is only read from now on: its rows have no
 * turn, and `memd backfill` stores the messages of the same transcripts.
 */
export const schema5 = `
  ALTER TABLE events ADD COLUMN kind TEXT NOT NULL DEFAULT 'call' CHECK (kind IN ('call', 'message'));
  ALTER TABLE events ADD COLUMN role TEXT CHECK (role IN ('user', 'assistant'));
  ALTER TABLE events ADD COLUMN turn_id TEXT;
  CREATE INDEX events_messages ON events (session_id, ts) WHERE kind = 'message';
`;
