import { leftOutMark } from '#core/event';
import type { Connection } from '../connection.ts';
import { mergeCopies } from '../repair/clean-copies.ts';

/**
 * Schema 7: accounts of sessions, copies in several sessions, and what is derived so that it need not be read again. Its parts came one by
 * one: a database of a state in between gets those that it lacks.
 */
export function schema7(connection: Connection): void {
  const hasCopies = connection.hasTable('natives');
  for (const [name, sql] of Object.entries(parts)) if (!connection.hasTable(name)) connection.exec(sql);
  if (!hasCopies) mergeCopies(connection);
}

export function isSchema7(connection: Connection): boolean {
  return Object.keys(parts).every((name) => connection.hasTable(name));
}

/**
 * The account of a session as JSON, next to its digest and removed with it. Empty: the digest was forgotten. A session without one, or with
 * one of an older form, gets it in the background. It is derived, and therefore neither exported nor synchronised.
 */
const accounts = `
  CREATE TABLE accounts (
    session_id TEXT PRIMARY KEY REFERENCES digests (session_id) ON DELETE CASCADE,
    form INTEGER NOT NULL,
    account TEXT NOT NULL
  ) WITHOUT ROWID;
`;

const isPlaceholder = (
  row: string,
): string => `instr(${row}payload_json, '${leftOutMark}') > 0 AND json_valid(${row}payload_json)
    AND '${leftOutMark}' IN (json_extract(${row}payload_json, '$.input'), json_extract(${row}payload_json, '$.output'))`;

/** The events whose content an earlier version left out for want of time. Spools and other devices may still bring some. */
const incomplete = `
  CREATE TABLE incomplete (event_id TEXT PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE ON UPDATE CASCADE) WITHOUT ROWID;
  INSERT INTO incomplete SELECT id FROM events WHERE ${isPlaceholder('')};
  CREATE TRIGGER incomplete_insert AFTER INSERT ON events WHEN ${isPlaceholder('new.')} BEGIN
    INSERT OR IGNORE INTO incomplete (event_id) VALUES (new.id);
  END;
  CREATE TRIGGER incomplete_update AFTER UPDATE OF payload_json ON events BEGIN
    DELETE FROM incomplete WHERE event_id = new.id AND NOT (${isPlaceholder('new.')});
  END;
`;

/**
 * `natives`: what identifies an event for its client, whatever session reports it, and the event that it is. A fork or a resumed session
 * repeats earlier turns under its own id. Rows outlive their event: what was forgotten in one session is not stored from another.
 * `session_links`: the session that one comes from; empty where it is not known.
 */
const copies = `
  CREATE TABLE natives (key TEXT PRIMARY KEY, event_id TEXT NOT NULL) WITHOUT ROWID;
  CREATE INDEX natives_event ON natives (event_id);
  CREATE TABLE session_links (
    session_id TEXT PRIMARY KEY,
    parent TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('agent', 'fork'))
  ) WITHOUT ROWID;
  CREATE INDEX session_links_parent ON session_links (parent);
`;

/**
 * What of a memory can be compared with the project, as JSON (`reading/comparable`), read of its event by the curator. It is derived: it goes
 * with its memory and when the recorded call changes by any writer, and is neither exported nor synchronised. A memory without one
 * is read from its event.
 */
const comparables = `
  CREATE TABLE comparables (
    summary_id INTEGER PRIMARY KEY REFERENCES summaries (id) ON DELETE CASCADE,
    form INTEGER NOT NULL,
    json TEXT NOT NULL
  );
  CREATE TRIGGER comparables_update AFTER UPDATE OF payload_json ON events BEGIN
    DELETE FROM comparables WHERE summary_id = (SELECT id FROM summaries WHERE event_id = new.id);
  END;
`;

/** Few memories are pinned: without it, a list of them reads all. */
const pinnedIndex = 'CREATE INDEX summaries_pinned ON summaries (ts DESC, id DESC) WHERE pinned <> 0';

const parts = { accounts, incomplete, natives: copies, comparables, summaries_pinned: pinnedIndex };
