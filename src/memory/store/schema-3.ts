/**
 * Schema 3: what retention has made of a payload. `shrunk`: 0, nobody has looked at it; below 0, it was short enough to stay
 * as it is; above, the characters it had before.
 */
export const schema3 = `
  ALTER TABLE events ADD COLUMN shrunk INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX events_unshrunk ON events (ts) WHERE shrunk = 0;

  -- What came back of a shrunk call can not be read a second time: the summary that tells of it stays.
  CREATE TRIGGER events_shrunk_retry AFTER UPDATE OF status ON events
  WHEN new.status = 'raw' AND new.shrunk > 0 AND EXISTS (SELECT 1 FROM summaries WHERE event_id = new.id) BEGIN
    UPDATE events SET status = 'summarized' WHERE seq = new.seq;
  END;
`;
