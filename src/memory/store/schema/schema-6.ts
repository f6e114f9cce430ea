import { indexText } from '#reading/terms';
import type { Connection } from '../connection.ts';
import { number, text } from '../row.ts';

const passages = 64;
const further = 2 ** 40;
const isOn = "EXISTS (SELECT 1 FROM settings WHERE name = 'sync.journal')";

/** Schema 6, that of the second release: messages, digests that a search finds, synchronisation, and what memory gave to sessions. */
export function schema6(connection: Connection): void {
  connection.exec(messages + synchronisation + given);
  const sql = 'SELECT id, text, terms FROM digests ORDER BY id';
  const insert = 'INSERT INTO summaries_fts (rowid, text, terms) VALUES (?, ?, ?)';
  for (const row of connection.all(sql))
    connection.run(insert, number(row, 'id'), indexText(text(row, 'text')), indexText(text(row, 'terms')));
}

/**
 * An event is a call or a message. `prompts`, which held what users typed before, is only read from now on: its rows have no turn, and
 * `memd backfill` stores the messages of the same transcripts.
 */
const messages = `
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

/** What memory gave to which session: ids only. The trigger removes it with the last event of its session. */
const given = `
  CREATE TABLE given (
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
  CREATE INDEX given_session ON given (session_id);
  CREATE TRIGGER given_forget AFTER DELETE ON events
  WHEN old.session_id <> '' AND NOT EXISTS (SELECT 1 FROM events WHERE session_id = old.session_id) BEGIN
    DELETE FROM given WHERE session_id = old.session_id;
  END;
`;

/**
 * Where an event comes from, and what `memd sync` still has to send. `device` and `author` are null until an event that was recorded here is
 * first sent; `is_foreign` is 1 for what another author recorded. The triggers work only while the setting `sync.journal` exists: an
 * import from another device removes it for its transaction.
 */
const synchronisation = `
  ALTER TABLE events ADD COLUMN device TEXT;
  ALTER TABLE events ADD COLUMN author TEXT;
  ALTER TABLE events ADD COLUMN is_foreign INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX events_foreign ON events (session_id) WHERE is_foreign <> 0;
  ALTER TABLE digests ADD COLUMN device TEXT;
  ALTER TABLE digests ADD COLUMN author TEXT;
  ALTER TABLE digests ADD COLUMN is_foreign INTEGER NOT NULL DEFAULT 0;

  -- The other author who pinned it; null: the user of this memory.
  ALTER TABLE summaries ADD COLUMN pinned_by TEXT;
  ALTER TABLE digests ADD COLUMN pinned_by TEXT;

  -- Pruned, not forgotten: a restore file may bring it back.
  ALTER TABLE forgotten ADD COLUMN pruned INTEGER NOT NULL DEFAULT 0;

  -- Names of rows that changed since they were last sent.
  CREATE TABLE sync_journal (seq INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, key TEXT NOT NULL, UNIQUE (kind, key));
  -- The last pin or unpin of a memory, of any device. key: \`e:\` and an event, or \`s:\` and a session.
  CREATE TABLE sync_pins (
    key TEXT PRIMARY KEY,
    pinned INTEGER NOT NULL,
    ms INTEGER NOT NULL,
    device TEXT NOT NULL DEFAULT ''
  ) WITHOUT ROWID;
  -- The segments that were imported, by git's name of their content.
  CREATE TABLE sync_segments (oid TEXT PRIMARY KEY, tries INTEGER NOT NULL, done INTEGER NOT NULL) WITHOUT ROWID;
  -- What \`mem promote\` chose for the others.
  CREATE TABLE promoted (event_id TEXT PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE, note TEXT NOT NULL, ts TEXT NOT NULL) WITHOUT ROWID;
  -- What other authors forgot: it concerns their own events alone.
  CREATE TABLE sync_forgotten (event_id TEXT NOT NULL, author TEXT NOT NULL, PRIMARY KEY (event_id, author)) WITHOUT ROWID;

${[
  journal('event', 'events', 'INSERT', 'new.id'),
  journal('event', 'events', 'UPDATE OF status', 'new.id', "new.status = 'skipped'"),
  journal('summary', 'summaries', 'INSERT', 'new.event_id'),
  journal('summary', 'summaries', 'UPDATE OF text, terms, model', 'new.event_id'),
  journal('edge', 'edges', 'INSERT', "new.from_id || ' ' || new.to_id || ' ' || new.kind"),
  journal('prompt', 'prompts', 'INSERT', 'new.id'),
  journal('digest', 'digests', 'INSERT', 'new.session_id'),
  journal('digest', 'digests', 'UPDATE OF text, terms, last_seq', 'new.session_id'),
  journal('forgotten', 'forgotten', 'INSERT', 'new.event_id'),
  journal('restored', 'forgotten', 'DELETE', 'old.event_id', 'old.pruned <> 0'),
  journal('focus', 'settings', 'INSERT', "''", "new.name = 'focus.at'"),
  journal('focus', 'settings', 'DELETE', "''", "old.name = 'focus.at'"),
  pin('summaries', 'UPDATE OF pinned', "'e:' || new.event_id"),
  pin('summaries', 'INSERT', "'e:' || new.event_id", 'new.pinned <> 0'),
  pin('digests', 'UPDATE OF pinned', "'s:' || new.session_id"),
].join('')}`;

function nameOf(kind: string, table: string, event: string): string {
  return `sync_${kind}_${table}_${event.split(' ')[0]?.toLowerCase()}`;
}

/** Not INSERT OR REPLACE: an INSERT OR IGNORE that fires the trigger would overrule it (https://www.sqlite.org/lang_createtrigger.html). */
function journal(kind: string, table: string, event: string, key: string, when = '1'): string {
  return `  CREATE TRIGGER ${nameOf(kind, table, event)} AFTER ${event} ON ${table} WHEN ${isOn} AND ${when} BEGIN
    DELETE FROM sync_journal WHERE kind = '${kind}' AND key = ${key};
    INSERT INTO sync_journal (kind, key) VALUES ('${kind}', ${key});
  END;
`;
}

/** A pin is later than every one that is known, whatever the clock says. */
function pin(table: string, event: string, key: string, when = '1'): string {
  return `  CREATE TRIGGER ${nameOf('pin', table, event)} AFTER ${event} ON ${table} WHEN ${isOn} AND ${when} BEGIN
    INSERT INTO sync_pins (key, pinned, ms) VALUES (${key}, new.pinned, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER))
      ON CONFLICT (key) DO UPDATE SET pinned = excluded.pinned, ms = max(excluded.ms, ms + 1), device = '';
    DELETE FROM sync_journal WHERE kind = 'pin' AND key = ${key};
    INSERT INTO sync_journal (kind, key) VALUES ('pin', ${key});
  END;
`;
}
