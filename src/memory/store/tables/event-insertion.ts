import { endNoticeTool, type ToolEvent } from '#core/event';
import { Copies, nativeKeys } from './copies.ts';
import { DuplicateCalls } from './duplicates.ts';
import { joinEnd } from './ends.ts';
import { IncompleteEvents, isIncomplete } from './incomplete.ts';
import { payloadOf } from './payload.ts';
import { Table } from './table.ts';

/** A history of prompts has the time of the key, a transcript that of the record. */
const rescuedNearMs = 10_000;

export interface Inserted {
  readonly inserted: number;
  readonly duplicates: number;
}

/** Stores captured events, each once. */
export class EventInsertion extends Table {
  readonly #duplicateCalls = new DuplicateCalls(this);
  readonly #incomplete = new IncompleteEvents(this);
  readonly #copies = new Copies(this);
  /** Those of some ids that are stored, stored under another id, or forgotten. */
  readonly #known: (ids: readonly string[]) => Set<string>;

  constructor(owner: Pick<Table, 'connection'>, known: (ids: readonly string[]) => Set<string>) {
    super(owner);
    this.#known = known;
  }

  /**
   * Stores the events that are neither known nor forgotten, in one transaction. An event is known by its id, by its content
   * for clients whose hook and transcript give one call two ids (`DuplicateCalls`), and as what another session has already (`Copies`).
   * A whole event replaces the placeholder of an earlier version, and a finished call the unfinished one: both count as inserted. What
   * an event reports of work in the background is added to the call that started it.
   */
  insert(events: readonly ToolEvent[]): Inserted {
    const calls = events.filter(({ tool }) => tool !== endNoticeTool);
    const inserted = this.connection.transaction(() => {
      const mayFill = this.#incomplete.count() > 0 || events.some(isIncomplete);
      this.#link(calls);
      const ambiguous = calls.filter((event) => this.#duplicateCalls.concerns(event));
      const known = ambiguous.length === 0 ? new Set<string>() : this.#known(ambiguous.map(({ id }) => id));
      return events.reduce((count, event) => {
        const isNotice = event.tool === endNoticeTool;
        const filled = isNotice || isIncomplete(event) || !mayFill ? false : this.#fill(event);
        const taken = isNotice ? 0 : filled ? 1 : this.#take(event, known);
        joinEnd(this.connection, event);
        return count + taken;
      }, 0);
    });
    return { inserted, duplicates: calls.length - inserted };
  }

  /** Whether a whole event took the place of its placeholder, under the same id or next to it. */
  #fill(event: ToolEvent): boolean {
    if (this.#incomplete.has(event.id)) {
      this.#incomplete.fill(event, JSON.stringify(payloadOf(event)));
      return true;
    }
    const placeholder = this.#incomplete.placeholderOf(event);
    if (placeholder !== null) this.#incomplete.remove(placeholder, event.id);
    return false;
  }

  /** Which sessions are helpers, and which go on from another one. */
  #link(events: readonly ToolEvent[]): void {
    for (const { sessionId, parent } of events)
      if (parent !== undefined) this.#copies.link(sessionId, parent);
    const own = events.filter(({ parent }) => parent?.kind !== 'agent').map(({ sessionId }) => sessionId);
    for (const session of new Set(own)) this.#copies.unlink(session);
  }

  /** 1 when the event is new. `known`: those of the batch that are known by now, where there are two ids for a call. */
  #take(event: ToolEvent, known: Set<string>): number {
    const keys = nativeKeys(event);
    const original = this.#copies.originalOf(event, keys);
    if (original !== null) {
      this.#copies.pair(event, keys, original);
      if (this.#duplicateCalls.concerns(event)) this.#duplicateCalls.pair(event, original);
      return 0;
    }
    if (event.rescued && this.#isSaid(event)) return 0;
    this.#copies.note(keys, event.id);
    if (!event.unfinished && this.#finish(event)) return 1;
    if (!this.#duplicateCalls.concerns(event)) {
      const inserted = this.#insertOne(event);
      if (inserted === 0 && event.isError && event.client === 'codex') this.#learnFailure(event.id);
      return inserted;
    }
    if (known.has(event.id)) return 0;
    known.add(event.id);
    const [duplicate] = this.#duplicateCalls.candidates(event);
    if (duplicate === undefined) {
      // An unfinished call has another time than its hook will have.
      if (!event.unfinished) this.#duplicateCalls.note(event);
      return this.#insertOne(event);
    }
    this.#copies.move(event.id, duplicate);
    this.#duplicateCalls.pair(event, duplicate);
    return 0;
  }

  /** Whether the session, or the prompt itself, is stored otherwise than from a history of prompts. */
  #isSaid({ sessionId, ts, output }: ToolEvent): boolean {
    const [from, to] = [-rescuedNearMs, rescuedNearMs].map((ms) =>
      new Date(Date.parse(ts) + ms).toISOString(),
    );
    const isOther = "CASE WHEN json_valid(payload_json) THEN payload_json ->> '$.rescued' END IS NULL";
    const sql = `SELECT 1 FROM events WHERE session_id = ?1 AND ${isOther}
      UNION ALL SELECT 1 FROM events WHERE kind = 'message' AND role = 'user' AND ts BETWEEN ?2 AND ?3 AND ${isOther}
        AND payload_json ->> '$.output' = ?4 LIMIT 1`;
    const words = typeof output === 'string' ? output : '';
    return this.connection.has(sql, sessionId, from ?? ts, to ?? ts, words);
  }

  /** Whether the call was stored without its result, which it has now; it is summarised again. */
  #finish(event: ToolEvent): boolean {
    const sql = `UPDATE events SET payload_json = ?, is_error = ?, status = 'raw', attempts = 0, last_error = NULL,
        lease_owner = NULL, lease_until = 0 WHERE id = ? AND json_valid(payload_json) AND payload_json ->> '$.unfinished' = 1`;
    const isFinished =
      this.connection.run(sql, JSON.stringify(payloadOf(event)), event.isError ? 1 : 0, event.id) > 0;
    if (!isFinished || !this.#duplicateCalls.concerns(event)) return isFinished;
    const [duplicate] = this.#duplicateCalls.candidates(event);
    if (duplicate === undefined) {
      this.#duplicateCalls.note(event);
      return true;
    }
    this.connection.run('DELETE FROM events WHERE id = ?', event.id);
    this.#copies.move(event.id, duplicate);
    this.#duplicateCalls.pair(event, duplicate);
    return true;
  }

  /**
   * Codex's hook does not say whether a command failed, its transcript does. The row is summarised again; a drainer that holds
   * it finds it gone.
   */
  #learnFailure(id: string): void {
    const sql = `UPDATE events SET is_error = 1, status = 'raw', lease_owner = NULL, lease_until = 0, payload_json =
        CASE WHEN json_valid(payload_json) THEN json_set(payload_json, '$.isError', json('true')) ELSE payload_json END
      WHERE id = ? AND client = 'codex' AND is_error = 0 AND shrunk <= 0`;
    this.connection.run(sql, id);
  }

  #insertOne(event: ToolEvent): number {
    if (isIncomplete(event) && this.#incomplete.wholeOf(event) !== null) return 0;
    const sql = `
      INSERT INTO events (id, ts, session_id, tool, tool_use_id, client, payload_json, is_error, kind, role, turn_id)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11 WHERE ?1 NOT IN (SELECT event_id FROM forgotten)
      ON CONFLICT (id) DO NOTHING`;
    const { id, ts, sessionId, tool, toolUseId, client, isError, message } = event;
    const payload = JSON.stringify(payloadOf(event));
    const call = [id, ts, sessionId, tool, toolUseId, client, payload, isError ? 1 : 0] as const;
    const kind = message === undefined ? 'call' : 'message';
    return this.connection.run(sql, ...call, kind, message?.role ?? null, message?.turnId ?? null);
  }
}
