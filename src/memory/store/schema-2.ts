/**
 * Schema 2: subjects of memories, and prompts and digests of sessions.
 * `subjects.key` is a hash of a kind and a name (`summarise` makes it): the names are in the payloads.
 */
export const schema2 = `
  CREATE TABLE subjects (
    key INTEGER NOT NULL,
    summary_id INTEGER NOT NULL REFERENCES summaries (id) ON DELETE CASCADE,
    outcome TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (key, summary_id)
  ) WITHOUT ROWID;
  CREATE INDEX subjects_summary ON subjects (summary_id);

  -- 0 until the curator has looked at the summary, and again when its words change.
  ALTER TABLE summaries ADD COLUMN curated INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX summaries_uncurated ON summaries (id) WHERE curated = 0;
  CREATE INDEX summaries_builtin ON summaries (ts DESC, id DESC) WHERE model = 'builtin';
  CREATE INDEX events_leased ON events (lease_owner) WHERE lease_owner IS NOT NULL;

  -- What the user asked for, redacted, as far as a transcript told.
  CREATE TABLE prompts (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    ts TEXT NOT NULL,
    text TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX prompts_session ON prompts (session_id, ts);

  -- One account a session, made anew when the session has gone on. last_seq: the last event in it.
  CREATE TABLE digests (
    session_id TEXT PRIMARY KEY,
    text TEXT NOT NULL,
    terms TEXT NOT NULL DEFAULT '',
    model TEXT NOT NULL,
    ts TEXT NOT NULL,
    last_seq INTEGER NOT NULL
  ) WITHOUT ROWID;
  -- It may hold words of any call of its session, of one that the user has made memd forget too.
  CREATE TRIGGER digests_forget AFTER DELETE ON events BEGIN
    DELETE FROM digests WHERE session_id = old.session_id;
  END;

  -- Events the user has made memd forget: nothing brings them back.
  CREATE TABLE forgotten (event_id TEXT PRIMARY KEY, ts TEXT NOT NULL) WITHOUT ROWID;

  ALTER TABLE usage ADD COLUMN cost_micro_usd INTEGER NOT NULL DEFAULT 0;
`;

/**
 * Pairs of summaries to ask a model about. `verdict` is NULL while the pair waits, then `supersedes`, `contradicts`, `neither`
 * or `given up`. Separate, since older databases of schema 2 lack this table.
 */
export const schema2Doubts = `
  CREATE TABLE IF NOT EXISTS doubts (
    from_id INTEGER NOT NULL REFERENCES summaries (id) ON DELETE CASCADE,
    to_id INTEGER NOT NULL REFERENCES summaries (id) ON DELETE CASCADE,
    weight INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    verdict TEXT,
    lease_until INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (from_id, to_id)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS doubts_to ON doubts (to_id);
  CREATE INDEX IF NOT EXISTS doubts_waiting ON doubts (attempts, weight DESC, from_id DESC, to_id DESC) WHERE verdict IS NULL;
`;
