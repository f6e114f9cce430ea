import { ftsTokenize } from '#reading/terms';

/**
 * Schema 4, that of the first release. Table and column names are part of the contract: operators write SQL against them.
 * `seq` columns give the order of arrival and never decrease, so that one comparison finds new rows. `subjects.key` is a hash of a
 * kind and a name (`reading/subjects` makes it): the names are in the payloads.
 */
export const schema4 = `
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    ts TEXT NOT NULL,
    session_id TEXT NOT NULL DEFAULT '',
    tool TEXT NOT NULL,
    tool_use_id TEXT,
    client TEXT NOT NULL DEFAULT 'unknown',
    payload_json TEXT NOT NULL,
    is_error INTEGER NOT NULL DEFAULT 0,
    status TEXT NOT NULL DEFAULT 'raw' CHECK (status IN ('raw', 'summarized', 'skipped')),
    attempts INTEGER NOT NULL DEFAULT 0,
    last_error TEXT,
    lease_owner TEXT,
    lease_until INTEGER NOT NULL DEFAULT 0,
    -- 0 before retention has read the payload, below 0 if it was short enough, else the number of characters it had before.
    shrunk INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX events_status ON events (status, seq);
  CREATE INDEX events_session ON events (session_id, ts);

  -- An operator who sets a row back to raw means it to be tried again, with all its attempts.
  CREATE TRIGGER events_retry AFTER UPDATE OF status ON events
  WHEN new.status = 'raw' AND old.status <> 'raw' BEGIN
    UPDATE events SET attempts = 0, last_error = NULL, lease_owner = NULL, lease_until = 0 WHERE seq = new.seq;
  END;

  CREATE TABLE summaries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id TEXT NOT NULL UNIQUE REFERENCES events (id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    terms TEXT NOT NULL DEFAULT '',
    model TEXT NOT NULL,
    ts TEXT NOT NULL,
    pinned INTEGER NOT NULL DEFAULT 0,
    -- 0 until the curator has looked at the summary, and again when its words change.
    curated INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX summaries_ts ON summaries (ts DESC, id DESC);

  CREATE VIRTUAL TABLE summaries_fts USING fts5 (text, terms, tokenize = "${ftsTokenize}");
  CREATE TRIGGER summaries_forget AFTER DELETE ON summaries BEGIN
    DELETE FROM summaries_fts WHERE rowid = old.id;
  END;

  CREATE TABLE summary_embeddings (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    summary_id INTEGER NOT NULL UNIQUE REFERENCES summaries (id) ON DELETE CASCADE,
    embedder TEXT NOT NULL,
    version INTEGER NOT NULL,
    dim INTEGER NOT NULL,
    vector BLOB NOT NULL
  );

  CREATE TABLE edges (
    from_id INTEGER NOT NULL REFERENCES summaries (id) ON DELETE CASCADE,
    to_id INTEGER NOT NULL REFERENCES summaries (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('supersedes', 'contradicts')),
    evidence TEXT NOT NULL DEFAULT '',
    ts TEXT NOT NULL,
    PRIMARY KEY (from_id, to_id, kind)
  ) WITHOUT ROWID;
  CREATE INDEX edges_to ON edges (to_id);

  CREATE TABLE usage (
    day TEXT NOT NULL,
    backend TEXT NOT NULL,
    model TEXT NOT NULL,
    calls INTEGER NOT NULL DEFAULT 0,
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    cost_micro_usd INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (day, backend, model)
  ) WITHOUT ROWID;

  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE subjects (
    key INTEGER NOT NULL,
    summary_id INTEGER NOT NULL REFERENCES summaries (id) ON DELETE CASCADE,
    outcome TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (key, summary_id)
  ) WITHOUT ROWID;
  CREATE INDEX subjects_summary ON subjects (summary_id);

  CREATE INDEX summaries_uncurated ON summaries (id) WHERE curated = 0;
  CREATE INDEX summaries_builtin ON summaries (ts DESC, id DESC) WHERE model = 'builtin';
  CREATE INDEX events_leased ON events (lease_owner) WHERE lease_owner IS NOT NULL;

  -- What the user asked for, redacted.
  CREATE TABLE prompts (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    ts TEXT NOT NULL,
    text TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX prompts_session ON prompts (session_id, ts);

  -- One account a session, written again when the session goes on. last_seq: the last event in it.
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

  -- Pairs of summaries to ask a model about. verdict is NULL while the pair waits, then supersedes, contradicts, neither or given up.
  CREATE TABLE doubts (
    from_id INTEGER NOT NULL REFERENCES summaries (id) ON DELETE CASCADE,
    to_id INTEGER NOT NULL REFERENCES summaries (id) ON DELETE CASCADE,
    weight INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    verdict TEXT,
    lease_until INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (from_id, to_id)
  ) WITHOUT ROWID;
  CREATE INDEX doubts_to ON doubts (to_id);
  CREATE INDEX doubts_waiting ON doubts (attempts, weight DESC, from_id DESC, to_id DESC) WHERE verdict IS NULL;

  CREATE INDEX events_unshrunk ON events (ts) WHERE shrunk = 0;
  -- The output of a shrunk call cannot be read a second time: its summary stays.
  CREATE TRIGGER events_shrunk_retry AFTER UPDATE OF status ON events
  WHEN new.status = 'raw' AND new.shrunk > 0 AND EXISTS (SELECT 1 FROM summaries WHERE event_id = new.id) BEGIN
    UPDATE events SET status = 'summarized' WHERE seq = new.seq;
  END;

  -- Calls of clients whose hook gives no call id, until both the hook and the transcript have reported them.
  CREATE TABLE unpaired (
    key TEXT NOT NULL,
    has_id INTEGER NOT NULL,
    ms INTEGER NOT NULL,
    event_id TEXT NOT NULL,
    output TEXT NOT NULL,
    PRIMARY KEY (key, has_id, ms, event_id)
  ) WITHOUT ROWID;
  CREATE INDEX unpaired_event ON unpaired (event_id);
  -- The other id of a call, and the event it is. Both tables outlive the event: a call that was forgotten under one id must not be
  -- stored under the other. The hash of its output is removed then.
  CREATE TABLE paired (id TEXT PRIMARY KEY, event_id TEXT NOT NULL) WITHOUT ROWID;
  CREATE INDEX paired_event ON paired (event_id);
  CREATE TRIGGER paired_forget AFTER INSERT ON forgotten BEGIN
    INSERT OR IGNORE INTO forgotten (event_id, ts) SELECT id, new.ts FROM paired WHERE event_id = new.event_id;
  END;
  CREATE TRIGGER unpaired_forget AFTER DELETE ON events BEGIN
    UPDATE unpaired SET output = '' WHERE event_id = old.id;
  END;
`;
