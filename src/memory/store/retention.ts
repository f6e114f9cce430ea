import { faultPoint } from '../../core/platform/index.ts';
import type { Connection } from './connection.ts';
import { type PayloadRow, shrunkPayload } from './retention-payload.ts';
import { flag, number, type Row, text, textOrNull } from './row.ts';

// A step of shrinking; between two of them the thread is left to others for `retentionRestShare` times as long.
const retentionStepRows = 32;

/** A place among the events, by their time. */
export interface RetentionCursor {
  readonly ts: string;
  readonly seq: number;
}

export interface ShrinkStep {
  /** Payloads that are shorter now, and by how many characters. */
  readonly shrunk: number;
  readonly chars: number;
  /** The place to go on behind; null: there are no more. */
  readonly next: RetentionCursor | null;
}

export interface DatabaseSize {
  /** Of the pages that hold something. */
  readonly usedBytes: number;
  readonly freePages: number;
  readonly pages: number;
}

/** What makes the database smaller without taking a memory from it. Every step is a transaction of bounded size. */
export class RetentionTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Shrinks payloads among the `retentionStepRows` events behind `after`, oldest first, older than `before` (ISO 8601; null:
   * of any age). Only of a call that has its summary, at which the curator has looked, and which nobody has pinned: of any other
   * the payload is all there is, or what its user wants kept. `why` stands in the note that is left.
   */
  shrink(after: RetentionCursor | null, before: string | null, why: string): ShrinkStep {
    const places = this.#next(after, before);
    const last = places.at(-1);
    if (last === undefined) return { shrunk: 0, chars: 0, next: null };
    const taken = this.#unsynced(() =>
      this.#connection.transaction(() => {
        const done = this.#shrinkAll(this.#shrinkable(places), why);
        faultPoint('retention.shrunk');
        return done;
      }),
    );
    return { ...taken, next: places.length < retentionStepRows ? null : last };
  }

  size(): DatabaseSize {
    const pages = this.#pragma('page_count');
    const freePages = this.#pragma('freelist_count');
    return { usedBytes: (pages - freePages) * this.#pragma('page_size'), freePages, pages };
  }

  /** The time of the newest event that has a memory, by which the clock can be held to account; null without any. */
  newest(): string | null {
    return textOrNull(this.#connection.get('SELECT max(ts) AS ts FROM summaries') ?? { ts: null }, 'ts');
  }

  /** Whether free pages can be given back bit by bit: not in a database that an older version made, until it is written anew. */
  isIncremental(): boolean {
    return this.#pragma('auto_vacuum') === incremental;
  }

  /** Gives at most `pages` free pages back; the file gets shorter at the next checkpoint. Answers how many are left. */
  giveBack(pages: number): number {
    faultPoint('retention.vacuum');
    // A statement that is stepped through: each step moves one page.
    this.#unsynced(() => this.#connection.exec(`PRAGMA incremental_vacuum(${pages})`));
    return this.#pragma('freelist_count');
  }

  /** From the index alone: what a row holds behind its payload costs reading all of that. */
  #next(after: RetentionCursor | null, before: string | null): RetentionCursor[] {
    const sql = `SELECT ts, seq FROM events INDEXED BY events_unshrunk
      WHERE shrunk = 0 AND (ts, seq) > (?, ?) AND ts < ? ORDER BY ts, seq LIMIT ?`;
    const { ts, seq } = after ?? { ts: '', seq: 0 };
    return this.#connection
      .all(sql, ts, seq, before ?? '\u{10ffff}', retentionStepRows)
      .map((row) => ({ ts: text(row, 'ts'), seq: number(row, 'seq') }));
  }

  #shrinkable(places: readonly RetentionCursor[]): Row[] {
    const sql = `SELECT e.seq, e.ts, e.session_id, e.tool, e.tool_use_id, e.client, e.is_error, e.payload_json
      FROM json_each(?) j CROSS JOIN events e ON e.seq = j.value JOIN summaries s ON s.event_id = e.id
      WHERE e.status = 'summarized' AND e.shrunk = 0 AND s.pinned = 0 AND s.curated <> 0`;
    return this.#connection.all(sql, JSON.stringify(places.map(({ seq }) => seq)));
  }

  /**
   * A row that gets shorter leaves its page half empty for ever: SQLite joins pages where rows go, not where they shrink, and no
   * new row is written among old ones. So each goes, shrunk, to the negative of its number, and all come back to where they were.
   */
  #shrinkAll(rows: readonly Row[], why: string): Omit<ShrinkStep, 'next'> {
    let [shrunk, chars] = [0, 0];
    for (const row of rows) {
      const payload = payloadRowOf(row);
      const json = shrunkPayload(payload, why);
      const seq = number(row, 'seq');
      const { length } = payload.payloadJson;
      // One that is short already is not looked at again.
      if (json === null) this.#connection.run('UPDATE events SET shrunk = -1 WHERE seq = ?', seq);
      else {
        const sql = 'UPDATE events SET seq = -seq, payload_json = ?, shrunk = ? WHERE seq = ?';
        this.#connection.run(sql, json, length, seq);
        shrunk += 1;
        chars += length - json.length;
      }
    }
    this.#connection.run('UPDATE events SET seq = -seq WHERE seq < 0');
    return { shrunk, chars };
  }

  /**
   * Without a sync of its own: a power loss may take a step back, whole, and the next run does it again. SQLite's log syncs
   * with the next commit of anything else (https://www.sqlite.org/pragma.html#pragma_synchronous).
   */
  #unsynced<T>(work: () => T): T {
    this.#connection.exec('PRAGMA synchronous = NORMAL');
    try {
      return work();
    } finally {
      this.#connection.exec('PRAGMA synchronous = FULL');
    }
  }

  #pragma(name: string): number {
    return number(this.#connection.get(`PRAGMA ${name}`) ?? {}, name);
  }
}

/** `PRAGMA auto_vacuum` (https://www.sqlite.org/pragma.html#pragma_auto_vacuum). */
const incremental = 2;

function payloadRowOf(row: Row): PayloadRow {
  return {
    payloadJson: text(row, 'payload_json'),
    ts: text(row, 'ts'),
    sessionId: text(row, 'session_id'),
    tool: text(row, 'tool'),
    toolUseId: textOrNull(row, 'tool_use_id'),
    client: text(row, 'client'),
    isError: flag(row, 'is_error'),
  };
}
