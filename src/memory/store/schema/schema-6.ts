const isOn = "EXISTS (SELECT 1 FROM settings WHERE name = 'sync.journal')";

/**
 * Schema 6: where an event comes from, and what `memd sync` still has to send. `device` and `author` are null until an event that was
 * recorded here is first sent; `is_foreign` is 1 for what another author recorded. The triggers work only while the setting
 * `sync.journal` exists: an import from another device removes it for its transaction.
 */
export const schema6 = `
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
