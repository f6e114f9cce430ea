/**
 * Schema 3: the state of a payload. `shrunk` is 0 before retention has read it, below 0 if it was short enough, and else the
 * number of characters it had before.
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
