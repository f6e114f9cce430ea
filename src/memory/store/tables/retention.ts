import { faultPoint } from '#core/platform';
import type { StepCursor } from '../reads/session-events.ts';
import { number, type Row, rowReader, text, textOrNull } from '../row.ts';
import { isPinned } from './origin.ts';
import { readPayloadRow, shrunkPayload } from './retention-payload.ts';
import { Table } from './table.ts';

// Rows of one step; between two steps the thread is free for `retentionRestShare` times as long.
const retentionStepRows = 32;

const readPlace = rowReader({ ts: text, seq: number });

export interface ShrinkStep {
  /** The number of shrunk payloads, and of removed characters. */
  readonly shrunk: number;
  readonly chars: number;
  /** Where the next step begins; null at the end. */
  readonly next: StepCursor | null;
}

/** Makes the database smaller without removing a memory. Every step is a transaction of bounded size. */
export class RetentionTable extends Table {
  /**
   * Shrinks payloads among the `retentionStepRows` events after `after`, oldest first, older than `before` (ISO 8601; null: of
   * any age). Only of calls that are summarised, curated and not pinned. The note that replaces the rest contains `why`.
   */
  shrink(after: StepCursor | null, before: string | null, why: string): ShrinkStep {
    const places = this.#next(after, before);
    const last = places.at(-1);
    if (last === undefined) return { shrunk: 0, chars: 0, next: null };
    const taken = this.#unsynced(() =>
      this.connection.transaction(() => {
        const done = this.#shrinkAll(this.#shrinkable(places), why);
        faultPoint('retention.shrunk');
        return done;
      }),
    );
    return { ...taken, next: places.length < retentionStepRows ? null : last };
  }

  size() {
    const pages = this.#pragma('page_count');
    const freePages = this.#pragma('freelist_count');
    return { usedBytes: (pages - freePages) * this.#pragma('page_size'), freePages, pages };
  }

  /** The time of the newest memory, to check the clock; null without memories. */
  newest(): string | null {
    return textOrNull(this.connection.get('SELECT max(ts) AS ts FROM summaries') ?? { ts: null }, 'ts');
  }

  /** Whether free pages can be returned step by step: not in a database of an older version before a VACUUM. */
  isIncremental(): boolean {
    return this.#pragma('auto_vacuum') === incremental;
  }

  /** Returns at most `pages` free pages to the disk at the next checkpoint. Returns how many are left. */
  giveBack(pages: number): number {
    faultPoint('retention.vacuum');
    this.#unsynced(() => this.connection.exec(`PRAGMA incremental_vacuum(${pages})`));
    return this.#pragma('freelist_count');
  }

  /** From the index alone: a column after the payload would cost reading the payload. */
  #next(after: StepCursor | null, before: string | null): StepCursor[] {
    const sql = `SELECT ts, seq FROM events INDEXED BY events_unshrunk
      WHERE shrunk = 0 AND (ts, seq) > (?, ?) AND ts < ? ORDER BY ts, seq LIMIT ?`;
    const { ts, seq } = after ?? { ts: '', seq: 0 };
    return this.connection.all(sql, ts, seq, before ?? '\u{10ffff}', retentionStepRows).map(readPlace);
  }

  #shrinkable(places: readonly StepCursor[]): Row[] {
    const sql = `SELECT e.seq, e.ts, e.session_id, e.tool, e.tool_use_id, e.client, e.is_error, e.payload_json
      FROM json_each(?) j CROSS JOIN events e ON e.seq = j.value JOIN summaries s ON s.event_id = e.id
      WHERE e.status = 'summarized' AND e.shrunk = 0 AND NOT ${isPinned('s')} AND s.curated <> 0`;
    return this.connection.all(sql, JSON.stringify(places.map(({ seq }) => seq)));
  }

  /**
   * A row that is only shortened leaves its page half empty: SQLite merges pages when rows are removed. So each row moves to the
   * negative of its `seq` and back.
   */
  #shrinkAll(rows: readonly Row[], why: string): Omit<ShrinkStep, 'next'> {
    let [shrunk, chars] = [0, 0];
    for (const row of rows) {
      const payload = readPayloadRow(row);
      const json = shrunkPayload(payload, why);
      const seq = number(row, 'seq');
      const { length } = payload.payloadJson;
      // Short already: not read again.
      if (json === null) this.connection.run('UPDATE events SET shrunk = -1 WHERE seq = ?', seq);
      else {
        const sql = 'UPDATE events SET seq = -seq, payload_json = ?, shrunk = ? WHERE seq = ?';
        this.connection.run(sql, json, length, seq);
        shrunk += 1;
        chars += length - json.length;
      }
    }
    this.connection.run('UPDATE events SET seq = -seq WHERE seq < 0');
    return { shrunk, chars };
  }

  /**
   * Without a sync: a loss of power may undo a whole step, which the next run repeats. The next other commit syncs SQLite's log (https://www.sqlite.org/pragma.html#pragma_synchronous).
   */
  #unsynced<T>(work: () => T): T {
    this.connection.exec('PRAGMA synchronous = NORMAL');
    try {
      return work();
    } finally {
      this.connection.exec('PRAGMA synchronous = FULL');
    }
  }

  #pragma(name: string): number {
    return number(this.connection.get(`PRAGMA ${name}`) ?? {}, name);
  }
}

/** `PRAGMA auto_vacuum` (https://www.sqlite.org/pragma.html#pragma_auto_vacuum). */
const incremental = 2;
