import { createHash } from 'node:crypto';
import {
  identify,
  isObject,
  type Json,
  type JsonObject,
  own,
  type ToolEvent,
} from '../../core/event/index.ts';
import type { Connection } from './connection.ts';
import { number, type Row, text, textOrNull } from './row.ts';

// The same call from a hook and from a transcript: so far apart at most, with any output, and with the same one.
export const duplicateNearMs = 10_000;
export const duplicateFarMs = 10 * 60_000;
const duplicateSkewMs = 1_000;
const duplicateCandidatesMax = 64;
const duplicateRebuildRows = 200;

/**
 * `unpaired`: calls of clients whose hook tells no call id, until both the hook and the transcript have told of them.
 * `paired`: the id that a call's second telling would have had, and the event that it is. Both outlive the event: what was
 * forgotten or pruned as the one must not come back as the other. Of what it wrote, not even a hash is kept then.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS unpaired (
    key TEXT NOT NULL,
    has_id INTEGER NOT NULL,
    ms INTEGER NOT NULL,
    event_id TEXT NOT NULL,
    output TEXT NOT NULL,
    PRIMARY KEY (key, has_id, ms, event_id)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS unpaired_event ON unpaired (event_id);
  CREATE TABLE IF NOT EXISTS paired (id TEXT PRIMARY KEY, event_id TEXT NOT NULL) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS paired_event ON paired (event_id);
  CREATE TRIGGER IF NOT EXISTS paired_forget AFTER INSERT ON forgotten BEGIN
    INSERT OR IGNORE INTO forgotten (event_id, ts) SELECT id, new.ts FROM paired WHERE event_id = new.event_id;
  END;
  CREATE TRIGGER IF NOT EXISTS unpaired_forget AFTER DELETE ON events BEGIN
    UPDATE unpaired SET output = '' WHERE event_id = old.id;
  END;
`;

/** The clients of which a hook tells no call id, and the transcript one. All others tell the same id in both. */
const clients: readonly string[] = ['gemini-cli', 'copilot-cli'];
const concerned = JSON.stringify(clients);

const select = 'SELECT seq, id, ts, session_id, tool, tool_use_id, client, payload_json FROM events';

/** Adds the tables to a database that has not got them, and what they would hold by now, within the caller's transaction. */
export function addDuplicates(connection: Connection): void {
  if (connection.hasTable('paired')) return;
  connection.exec(schema);
  rebuildDuplicates(connection);
}

/** Notes one event that has come another way than through `insert`. */
export function noteDuplicate(connection: Connection, id: string): void {
  const row = connection.get(
    `${select} WHERE id = ? AND client IN (SELECT value FROM json_each(?))`,
    id,
    concerned,
  );
  const call = row === undefined ? null : storedCall(row);
  if (call !== null) new DuplicateCalls(connection).note(call);
}

/** Fills the tables from the events, within the caller's transaction. */
export function rebuildDuplicates(connection: Connection): void {
  const duplicates = new DuplicateCalls(connection);
  const sql = `${select} WHERE seq > ? AND client IN (SELECT value FROM json_each(?)) ORDER BY seq LIMIT ?`;
  for (let after = 0; ; ) {
    const rows = connection.all(sql, after, concerned, duplicateRebuildRows);
    for (const row of rows) {
      const call = storedCall(row);
      if (call !== null) duplicates.note(call);
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = number(last, 'seq');
  }
}

/** What pairing looks at of a call. */
interface Told
  extends Pick<ToolEvent, 'id' | 'ts' | 'sessionId' | 'tool' | 'toolUseId' | 'input' | 'output'> {
  readonly client: string;
}

interface Place {
  readonly key: string;
  readonly hasId: 0 | 1;
  readonly ms: number;
  readonly output: string;
}

/** Makes one event of a call that a hook has told without its id, and a transcript with it, whichever came first. */
export class DuplicateCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Whether calls of this client are told with an id in one place and without in the other. */
  concerns({ client, sessionId }: Pick<Told, 'client' | 'sessionId'>): boolean {
    return sessionId !== '' && clients.includes(client);
  }

  /**
   * The stored events that may be the same call told the other way, the likeliest first: same session, tool and redacted
   * input; and with the same output, or else told at nearly the same time. A client writes its transcript after its hooks
   * have run: only with the same output is a clock believed that makes it a little before them.
   */
  candidates(event: Told): string[] {
    const { key, hasId, ms, output } = placeOf(event);
    const [from, to] =
      hasId === 1 ? [ms - duplicateFarMs, ms + duplicateSkewMs] : [ms - duplicateSkewMs, ms + duplicateFarMs];
    const sql = `SELECT event_id, ms, output FROM unpaired
      WHERE key = ? AND has_id = ? AND ms BETWEEN ? AND ? ORDER BY ms LIMIT ?`;
    const found = this.#connection.all(sql, key, 1 - hasId, from, to, duplicateCandidatesMax).map((row) => ({
      id: text(row, 'event_id'),
      ms: number(row, 'ms'),
      /** From the hook to the transcript. */
      laterMs: hasId === 1 ? ms - number(row, 'ms') : number(row, 'ms') - ms,
      isSame: text(row, 'output') === output,
    }));
    // In their order: of calls that are alike each finds its own, or leaves it to the next, and none is left over.
    return found
      .filter(({ isSame, laterMs }) => isSame || (laterMs >= 0 && laterMs <= duplicateNearMs))
      .sort((a, b) => Number(b.isSame) - Number(a.isSame) || a.ms - b.ms)
      .map(({ id }) => id);
  }

  /** `event` is the stored `eventId` told once more: from now on it is known, and the stored one has the call's id. */
  pair(event: Told, eventId: string): void {
    this.#connection.run('INSERT OR IGNORE INTO paired (id, event_id) VALUES (?, ?)', event.id, eventId);
    this.#connection.run('DELETE FROM unpaired WHERE event_id = ?', eventId);
    const away =
      'INSERT OR IGNORE INTO forgotten (event_id, ts) SELECT ?, ts FROM forgotten WHERE event_id = ?';
    this.#connection.run(away, event.id, eventId);
    if (!event.toolUseId) return;
    const sql = `UPDATE events SET tool_use_id = ?1, payload_json =
      CASE WHEN json_valid(payload_json) THEN json_set(payload_json, '$.toolUseId', ?1) ELSE payload_json END
      WHERE id = ?2 AND tool_use_id IS NULL`;
    this.#connection.run(sql, event.toolUseId, eventId);
  }

  /** Notes a stored event: it waits for its twin, or has had it, as its id tells. */
  note(event: Told): void {
    if (!this.concerns(event)) return;
    const { id, ...rest } = event;
    const byCall = event.toolUseId
      ? identify({ ...rest, client: 'unknown', isError: false, cwd: null }).id
      : id;
    if (byCall !== id) {
      this.#connection.run('INSERT OR IGNORE INTO paired (id, event_id) VALUES (?, ?)', byCall, id);
      return;
    }
    const { key, hasId, ms, output } = placeOf(event);
    const sql = 'INSERT OR IGNORE INTO unpaired (key, has_id, ms, event_id, output) VALUES (?, ?, ?, ?, ?)';
    this.#connection.run(sql, key, hasId, ms, id, output);
  }
}

function placeOf({ sessionId, tool, input, output, toolUseId, ts }: Told): Place {
  const ms = Date.parse(ts);
  return {
    // The session first, so that what is asked for together lies together. A hook may write a tool's name in capitals.
    key: hashed(sessionId).slice(0, 8) + hashed([sessionId, tool.toLowerCase(), input]),
    hasId: toolUseId ? 1 : 0,
    ms: Number.isFinite(ms) ? ms : 0,
    output: hashed([output]),
  };
}

/** Of what is redacted already: no fingerprint of a secret. */
function hashed(value: Json): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex')
    .slice(0, 24);
}

/** The same value with the keys of its objects in one order. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => sorted(item));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([name, item]) => [name, sorted(item)]));
}

/** Null for a payload that somebody's SQL has torn: it is told from no other. */
function storedCall(row: Row): Told | null {
  const payload = payloadIn(text(row, 'payload_json'));
  if (payload === null) return null;
  return {
    id: text(row, 'id'),
    ts: text(row, 'ts'),
    sessionId: text(row, 'session_id'),
    tool: text(row, 'tool'),
    toolUseId: textOrNull(row, 'tool_use_id'),
    input: own(payload, 'input') ?? {},
    output: own(payload, 'output') ?? '',
    client: text(row, 'client'),
  };
}

function payloadIn(payloadJson: string): JsonObject | null {
  try {
    const payload: Json = JSON.parse(payloadJson);
    return isObject(payload) ? payload : null;
  } catch {
    // No JSON is no payload either.
    return null;
  }
}
