import { endNoticeTool, type ToolEvent } from '../../core/event/index.ts';
import type { Connection } from './connection.ts';
import type { DuplicateCalls } from './duplicates.ts';
import { joinEnd } from './ends.ts';
import { type IncompleteEvents, isIncomplete } from './incomplete.ts';
import { payloadOf } from './payload.ts';

export interface Inserted {
  readonly inserted: number;
  readonly duplicates: number;
}

/** Stores captured events, each once. */
export class EventInsertion {
  readonly #connection: Connection;
  readonly #duplicateCalls: DuplicateCalls;
  readonly #incomplete: IncompleteEvents;
  /** Those of some ids that are stored, stored under another id, or forgotten. */
  readonly #known: (ids: readonly string[]) => Set<string>;

  constructor(
    connection: Connection,
    duplicateCalls: DuplicateCalls,
    incomplete: IncompleteEvents,
    known: (ids: readonly string[]) => Set<string>,
  ) {
    this.#connection = connection;
    this.#duplicateCalls = duplicateCalls;
    this.#incomplete = incomplete;
    this.#known = known;
  }

  /**
   * Stores the events that are neither known nor forgotten, in one transaction. An event is known by its id, and by its content
   * for clients whose hook and transcript give one call two ids (`DuplicateCalls`). A whole event replaces the placeholder of an earlier
   * version, and counts as inserted. What it reports of work in the background is added to the call that started it.
   */
  insert(events: readonly ToolEvent[]): Inserted {
    const calls = events.filter(({ tool }) => tool !== endNoticeTool);
    const inserted = this.#connection.transaction(() => {
      const mayFill = this.#incomplete.count() > 0 || events.some(isIncomplete);
      const ambiguous = calls.filter((event) => this.#duplicateCalls.concerns(event));
      const known = ambiguous.length === 0 ? new Set<string>() : this.#known(ambiguous.map(({ id }) => id));
      return events.reduce((count, event) => {
        const isNotice = event.tool === endNoticeTool;
        const filled = isNotice || isIncomplete(event) || !mayFill ? false : this.#fill(event);
        const taken = isNotice ? 0 : filled ? 1 : this.#take(event, known);
        joinEnd(this.#connection, event);
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

  /** 1 when the event is new. `known`: those of the batch that are known by now, where there are two ids for a call. */
  #take(event: ToolEvent, known: Set<string>): number {
    if (!this.#duplicateCalls.concerns(event)) {
      const inserted = this.#insertOne(event);
      if (inserted === 0 && event.isError && event.client === 'codex') this.#learnFailure(event.id);
      return inserted;
    }
    if (known.has(event.id)) return 0;
    known.add(event.id);
    const [duplicate] = this.#duplicateCalls.candidates(event);
    if (duplicate === undefined) {
      this.#duplicateCalls.note(event);
      return this.#insertOne(event);
    }
    this.#duplicateCalls.pair(event, duplicate);
    return 0;
  }

  /**
   * Codex's hook does not say whether a command failed, its transcript does. The row is summarised again; a drainer that holds
   * it finds it gone.
   */
  #learnFailure(id: string): void {
    const sql = `UPDATE events SET is_error = 1, status = 'raw', lease_owner = NULL, lease_until = 0, payload_json =
        CASE WHEN json_valid(payload_json) THEN json_set(payload_json, '$.isError', json('true')) ELSE payload_json END
      WHERE id = ? AND client = 'codex' AND is_error = 0 AND shrunk <= 0`;
    this.#connection.run(sql, id);
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
    return this.#connection.run(sql, ...call, kind, message?.role ?? null, message?.turnId ?? null);
  }
}
