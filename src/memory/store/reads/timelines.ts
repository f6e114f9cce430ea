import { text } from '../row.ts';
import { readSummary, type Summary, summaryColumns } from '../tables/summaries.ts';
import { Table } from '../tables/table.ts';

/** A memory and its neighbours, oldest first on both sides. */
export interface Timeline {
  readonly before: readonly Summary[];
  readonly summary: Summary;
  readonly after: readonly Summary[];
}

/** Times of a session: from the first, inclusive, to the second, exclusive; null has no end. */
interface Span {
  readonly from: string;
  readonly to: string | null;
}

const always: Span = { from: '', to: null };

/** What happened around a memory in its session. */
export class Timelines extends Table {
  /** At most `window` neighbours on each side. */
  around(summary: Summary, window: number): Timeline {
    return this.#within(summary, window, always);
  }

  /** The turn of a message: the user's message and all that follows until the next one. At most `sideMax` on each side. */
  turn(message: Summary, sideMax: number): Timeline {
    return this.#within(message, sideMax, this.#turnOf(message));
  }

  /** The first memories of a session. */
  start(sessionId: string, limit: number): Summary[] {
    const sql = `SELECT ${summaryColumns} FROM summaries s JOIN events e ON e.id = s.event_id
      WHERE e.session_id = ? ORDER BY s.ts, s.id LIMIT ?`;
    return this.connection.all(sql, sessionId, limit).map(readSummary);
  }

  #within(summary: Summary, limit: number, { from, to }: Span): Timeline {
    const { sessionId, ts, id } = summary;
    const side = (comparison: '<' | '>', order: 'DESC' | 'ASC') =>
      this.connection
        .all(
          `SELECT ${summaryColumns} FROM summaries s JOIN events e ON e.id = s.event_id
           WHERE e.session_id = ?1 AND (s.ts, s.id) ${comparison} (?2, ?3) AND s.ts >= ?4 AND (?5 IS NULL OR s.ts < ?5)
           ORDER BY s.ts ${order}, s.id ${order} LIMIT ?6`,
          ...[sessionId, ts, id, from, to, limit],
        )
        .map(readSummary);
    return { before: side('<', 'DESC').reverse(), summary, after: side('>', 'ASC') };
  }

  /** A second message that the user sends during a turn has the turn's id and does not end it. */
  #turnOf({ sessionId, ts, role, turnId = '' }: Summary): Span {
    const tsOf = (fits: string, order: string, ...more: string[]): string | null => {
      const sql = `SELECT ts FROM events WHERE kind = 'message' AND role = 'user' AND session_id = ?1 AND ${fits}
        ORDER BY ts ${order} LIMIT 1`;
      return this.connection.one(sql, (row) => text(row, 'ts'), sessionId, ts, ...more);
    };
    const to = tsOf("ts > ?2 AND (?3 = '' OR coalesce(turn_id, '') <> ?3)", 'ASC', turnId);
    const first = tsOf("ts <= ?2 AND ?3 <> '' AND turn_id = ?3", 'ASC', turnId);
    if (first !== null) return { from: first, to };
    return { from: role === 'user' ? ts : (tsOf('ts <= ?2', 'DESC') ?? ''), to };
  }
}
