import type { Connection } from './connection.ts';
import { list } from './row.ts';

const knownCallsMax = 10_000;

/** Time, session and tool of the call of a summary. */
export interface CallPosition {
  /** `summaries.id` */
  readonly id: number;
  readonly ts: string;
  readonly tool: string;
  readonly sessionId: string;
  readonly pinned: boolean;
}

/**
 * The positions of hundreds of candidates. Reading their events takes most of the time (0.75 of 1.1 ms for 400); tool and
 * session of an event never change and are kept by its id. The rest is kept until the next commit.
 */
export class CallPositions {
  readonly #connection: Connection;
  readonly #calls = new Map<string, Call>();
  readonly #positions = new Map<number, CallPosition>();
  #version = -1;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The existing ones of `ids`, in any order. `version` changes with every commit. */
  of(ids: readonly number[], version: number): CallPosition[] {
    if (version !== this.#version || this.#positions.size > knownCallsMax) this.#positions.clear();
    this.#version = version;
    const unknown = ids.filter((id) => !this.#positions.has(id));
    if (unknown.length > 0) this.#read(unknown);
    return ids.flatMap((id) => this.#positions.get(id) ?? []);
  }

  #read(ids: readonly number[]): void {
    const sql = `SELECT json_group_array(s.id) AS ids, json_group_array(s.event_id) AS events,
        json_group_array(s.ts) AS times, json_group_array(s.pinned) AS pins
      FROM json_each(?) j JOIN summaries s ON s.id = j.value`;
    const row = this.#connection.get(sql, JSON.stringify(ids)) ?? {};
    const events = list<string>(row, 'events');
    const times = list<string>(row, 'times');
    const pins = list<number>(row, 'pins');
    this.#follow(events);
    for (const [at, id] of list<number>(row, 'ids').entries()) {
      const call = this.#calls.get(events[at] ?? '');
      if (call === undefined) continue;
      this.#positions.set(id, { id, ts: times[at] ?? '', ...call, pinned: pins[at] !== 0 });
    }
  }

  #follow(events: readonly string[]): void {
    if (this.#calls.size + events.length > knownCallsMax) this.#calls.clear();
    const unknown = events.filter((id) => !this.#calls.has(id));
    if (unknown.length === 0) return;
    const sql = `SELECT json_group_array(e.id) AS ids, json_group_array(e.tool) AS tools,
        json_group_array(e.session_id) AS sessions
      FROM json_each(?) j JOIN events e ON e.id = j.value`;
    const row = this.#connection.get(sql, JSON.stringify(unknown)) ?? {};
    const tools = list<string>(row, 'tools');
    const sessions = list<string>(row, 'sessions');
    for (const [at, id] of list<string>(row, 'ids').entries())
      this.#calls.set(id, { tool: tools[at] ?? '', sessionId: sessions[at] ?? '' });
  }
}

interface Call {
  readonly tool: string;
  readonly sessionId: string;
}
