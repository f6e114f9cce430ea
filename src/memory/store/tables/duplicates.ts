import { createHash } from 'node:crypto';
import { identify, isObject, type Json } from '#core/event';
import type { Connection } from '../connection.ts';
import { number, text } from '../row.ts';
import { type Native, nativeColumns, nativeOf, pairIds } from './copies.ts';
import { Table } from './table.ts';

// The most time between a call from a hook and the same call from a transcript: with any output, and with the same output.
export const duplicateNearMs = 10_000;
export const duplicateFarMs = 10 * 60_000;
const duplicateSkewMs = 1_000;
const duplicateCandidatesMax = 64;
const duplicateRebuildRows = 200;

/** The clients that give a call id in transcripts only. All others give the same id in both. */
const clients: readonly string[] = ['gemini-cli', 'copilot-cli'];
const clientsJson = JSON.stringify(clients);

const select = `SELECT ${nativeColumns} FROM events`;

/** Notes an event that was not stored by `insert`. */
export function noteDuplicate(connection: Connection, id: string): void {
  const row = connection.get(
    `${select} WHERE id = ? AND client IN (SELECT value FROM json_each(?))`,
    id,
    clientsJson,
  );
  const call = row === undefined ? null : nativeOf(row);
  if (call !== null) new DuplicateCalls({ connection }).note(call);
}

/** Fills the tables from the events, within the caller's transaction. */
export function rebuildDuplicates(connection: Connection): void {
  const duplicates = new DuplicateCalls({ connection });
  const sql = `${select} WHERE client IN (SELECT value FROM json_each(?)) AND seq > ? ORDER BY seq LIMIT ?`;
  for (const row of connection.paged(sql, duplicateRebuildRows, { seq: 0 }, clientsJson)) {
    const call = nativeOf(row);
    if (call !== null) duplicates.note(call);
  }
}

/** Makes one event of a call that a hook reports without an id and a transcript with one, in either order. */
export class DuplicateCalls extends Table {
  /** Whether calls of this client come with an id from one source and without from the other. */
  concerns({ client, sessionId }: Pick<Native, 'client' | 'sessionId'>): boolean {
    return sessionId !== '' && clients.includes(client);
  }

  /**
   * The stored events that may be the same call from the other source, the likeliest first: same session, tool and redacted
   * input, and the same output or nearly the same time. A client writes its transcript after its hooks have run: a slightly
   * earlier time is accepted only with the same output.
   */
  candidates(event: Native): string[] {
    const { key, hasId, ms, output } = unpairedRow(event);
    const [from, to] =
      hasId === 1 ? [ms - duplicateFarMs, ms + duplicateSkewMs] : [ms - duplicateSkewMs, ms + duplicateFarMs];
    const sql = `SELECT event_id, ms, output FROM unpaired
      WHERE key = ? AND has_id = ? AND ms BETWEEN ? AND ? ORDER BY ms LIMIT ?`;
    const found = this.connection.all(sql, key, 1 - hasId, from, to, duplicateCandidatesMax).map((row) => ({
      id: text(row, 'event_id'),
      ms: number(row, 'ms'),
      /** The time from the hook to the transcript. */
      laterMs: hasId === 1 ? ms - number(row, 'ms') : number(row, 'ms') - ms,
      isSame: text(row, 'output') === output,
    }));
    // In the order of time, so that several equal calls are paired one by one.
    return found
      .filter(({ isSame, laterMs }) => isSame || (laterMs >= 0 && laterMs <= duplicateNearMs))
      .sort((a, b) => Number(b.isSame) - Number(a.isSame) || a.ms - b.ms)
      .map(({ id }) => id);
  }

  /** `event` is the stored `eventId` from the other source: its id becomes known, and the stored event gets the client's ids. */
  pair(event: Native, eventId: string): void {
    pairIds(this.connection, event.id, eventId);
    this.connection.run('DELETE FROM unpaired WHERE event_id = ?', eventId);
    const turnId = event.message?.turnId ?? null;
    if (turnId !== null) this.#setTurn(eventId, turnId);
    if (!event.toolUseId) return;
    const sql = `UPDATE events SET tool_use_id = ?1, payload_json =
      CASE WHEN json_valid(payload_json) THEN json_set(payload_json, '$.toolUseId', ?1) ELSE payload_json END
      WHERE id = ?2 AND tool_use_id IS NULL`;
    this.connection.run(sql, event.toolUseId, eventId);
  }

  /** Copilot CLI's and Gemini CLI's hooks do not name the turn. */
  #setTurn(eventId: string, turnId: string): void {
    const sql = `UPDATE events SET turn_id = ?1, payload_json =
      CASE WHEN json_valid(payload_json) THEN json_set(payload_json, '$.message.turnId', ?1) ELSE payload_json END
      WHERE id = ?2 AND kind = 'message' AND turn_id IS NULL`;
    this.connection.run(sql, turnId, eventId);
  }

  /** Notes a stored event: it waits for its duplicate, or, as its id shows, already has it. */
  note(event: Native): void {
    if (!this.concerns(event)) return;
    const { id, ...rest } = event;
    const byCall = event.toolUseId
      ? identify({ ...rest, client: 'unknown', isError: false, cwd: null }).id
      : id;
    if (byCall !== id) {
      this.connection.run('INSERT OR IGNORE INTO paired (id, event_id) VALUES (?, ?)', byCall, id);
      return;
    }
    const { key, hasId, ms, output } = unpairedRow(event);
    const sql = 'INSERT OR IGNORE INTO unpaired (key, has_id, ms, event_id, output) VALUES (?, ?, ?, ?, ?)';
    this.connection.run(sql, key, hasId, ms, id, output);
  }
}

/** The columns of `unpaired` for a call. */
function unpairedRow({ sessionId, tool, input, output, toolUseId, ts, message }: Native) {
  const ms = Date.parse(ts);
  // Two messages are one only if they say the same.
  const compared = message === undefined ? input : output;
  return {
    // The session first, so that rows of one session are stored together. A hook may write a tool's name in capitals.
    key: hashed(sessionId).slice(0, 8) + hashed([sessionId, tool.toLowerCase(), compared]),
    hasId: toolUseId ? 1 : 0,
    ms: Number.isFinite(ms) ? ms : 0,
    output: hashed([output]),
  };
}

/** The value is redacted: this is not a fingerprint of a secret. */
function hashed(value: Json): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex')
    .slice(0, 24);
}

/** The same value with sorted keys. */
export function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => sorted(item));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([name, item]) => [name, sorted(item)]));
}
