import { ftsTokenize } from '../terms/index.ts';

/**
 * Schema 1. Table and column names are part of the contract: operators write SQL against them.
 * `seq` columns give the order of arrival and never decrease, so that one comparison finds new rows.
 */
export const schema1 = `
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
    lease_until INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX events_status ON events (status, seq);
  CREATE INDEX events_session ON events (session_id, ts);

  -- An operator who sets a row back to raw means it to be tried anew, with all its attempts.
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
    pinned INTEGER NOT NULL DEFAULT 0
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
    PRIMARY KEY (day, backend, model)
  ) WITHOUT ROWID;

  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`;
