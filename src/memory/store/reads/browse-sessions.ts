import { noteTool } from '#core/event';
import { number, type Origin, type Row, readOrigin, rowReader, text, textOrNull } from '../row.ts';
import { isListedAlone } from '../tables/copies.ts';
import { sessionOriginColumns } from '../tables/origin.ts';
import { Table } from '../tables/table.ts';

export interface SessionRow extends SessionSpan, SessionDetails, Origin {
  /** One line for each topic of the session; null until it is written, and when it is empty. */
  readonly digest: string | null;
  /** The session that started this one as its helper; it is listed behind that one. */
  readonly startedBy?: string;
  /** The session whose history this one took over. */
  readonly continues?: string;
}

type SessionSpan = ReturnType<typeof readSpan>;
const readSpan = rowReader({ sessionId: text, events: number, firstTs: text, lastTs: text });
const span = 'SELECT session_id, count(*) AS events, min(ts) AS first_ts, max(ts) AS last_ts FROM events';

export interface SessionCursor {
  readonly ts: string;
  readonly session: string;
  /** The highest `seq` that the listing covers, null for all: a session that goes on meanwhile keeps its position. */
  readonly upTo: number | null;
}

/** Read from a session's rows. Valid while its number of events and last time are the same. */
type SessionDetails = ReturnType<typeof readDetails>;
const readDetails = rowReader({
  client: text,
  errors: number,
  /** Of the events, those that are messages. */
  messages: number,
});

/** A note belongs to no session; calls of an assistant that names none are listed together. */
const isInSession = `seq NOT IN (SELECT seq FROM events WHERE session_id = '' AND tool = '${noteTool}')`;

/** A note from the shell of another project's session brings that session's id: nothing else of it is here. */
const isMoreThanNotes = `(count(*) > 8
  OR EXISTS (SELECT 1 FROM events own WHERE own.session_id = events.session_id AND own.tool <> '${noteTool}'))`;

/** Helpers that are listed behind one session. */
const helpersMax = 20;

const named =
  "AND session_id IN (SELECT session_id FROM digests WHERE instr(lower(text || ' ' || terms), lower(?)) > 0)";

/**
 * Lists sessions and tools. SQLite has to read a row's payload to reach the columns after it, so what is not in an index is read
 * once and kept until an index shows a change.
 */
export class BrowseSessions extends Table {
  readonly #details = new Map<string, { readonly of: string; readonly details: SessionDetails }>();
  readonly #tools = new Map<string, number>();
  #toolsUpTo = 0;

  /**
   * The session with the newest last call first, each with the sessions of its helpers behind it, which do not count. `file`: only those
   * whose digest names such a file.
   */
  sessions(
    limit: number,
    before: SessionCursor | null,
    file: string | null = null,
  ): { sessions: SessionRow[]; next: SessionCursor | null } {
    const older = before === null ? '' : 'AND (max(ts), session_id) < (?, ?)';
    const upTo = before?.upTo ?? this.connection.newestSeq();
    const rows = this.connection.all(
      `${span}
       WHERE seq <= ? AND ${isInSession} ${file === null ? '' : named}
       GROUP BY session_id HAVING ${isMoreThanNotes} AND ${file === null ? isListedAlone : 'true'} ${older} ORDER BY last_ts DESC, session_id DESC LIMIT ?`,
      upTo,
      ...(file === null ? [] : [file]),
      ...(before === null ? [] : [before.ts, before.session]),
      limit + 1,
    );
    const listed = rows.slice(0, limit).map((row) => this.#sessionOf(row));
    const sessions = listed.flatMap((one) => [one, ...(file === null ? this.#helpersOf(one.sessionId) : [])]);
    const last = listed.at(-1);
    const isMore = rows.length > limit && last !== undefined;
    return { sessions, next: isMore ? { ts: last.lastTs, session: last.sessionId, upTo } : null };
  }

  /** Null if it has no event. */
  session(sessionId: string): SessionRow | null {
    const row = this.connection.get(`${span} WHERE session_id = ? GROUP BY session_id`, sessionId);
    return row === undefined ? null : this.#sessionOf(row);
  }

  #helpersOf(sessionId: string): SessionRow[] {
    const sql = `SELECT session_id FROM session_links WHERE parent = ? AND kind = 'agent' ORDER BY session_id LIMIT ${helpersMax}`;
    const rows = this.connection.all(sql, sessionId).map((row) => this.session(text(row, 'session_id')));
    return rows.filter((row) => row !== null);
  }

  #parentOf(sessionId: string): Pick<SessionRow, 'startedBy' | 'continues'> {
    const sql = 'SELECT parent, kind FROM session_links WHERE session_id = ?';
    const link = this.connection.get(sql, sessionId);
    if (link === undefined) return {};
    return { [text(link, 'kind') === 'agent' ? 'startedBy' : 'continues']: text(link, 'parent') };
  }

  /** The number of calls of each tool, the most used first. */
  tools(): { tool: string; count: number }[] {
    this.#countTools();
    const counted = [...this.#tools.values()].reduce((sum, count) => sum + count, 0);
    const stored = this.connection.number('SELECT count(*) AS n FROM events');
    if (counted !== stored) {
      // Events were removed.
      this.#tools.clear();
      this.#toolsUpTo = 0;
      this.#countTools();
    }
    return [...this.#tools]
      .map(([tool, count]) => ({ tool, count }))
      .sort((a, b) => b.count - a.count || (a.tool < b.tool ? -1 : 1));
  }

  #countTools(): void {
    const sql = 'SELECT tool, count(*) AS n, max(seq) AS seq FROM events WHERE seq > ? GROUP BY tool';
    for (const row of this.connection.all(sql, this.#toolsUpTo)) {
      const tool = text(row, 'tool');
      this.#tools.set(tool, (this.#tools.get(tool) ?? 0) + number(row, 'n'));
      this.#toolsUpTo = Math.max(this.#toolsUpTo, number(row, 'seq'));
    }
  }

  #sessionOf(row: Row): SessionRow {
    const { sessionId, events, firstTs, lastTs } = readSpan(row);
    const { client, errors, messages } = this.#detailsOf(sessionId, `${events} ${lastTs}`);
    const sql = `SELECT (SELECT nullif(text, '') FROM digests WHERE session_id = ?1) AS digest
      ${sessionOriginColumns('?1')}`;
    const more = this.connection.get(sql, sessionId) ?? {};
    return {
      ...{ sessionId, client, events, messages, errors, firstTs, lastTs },
      digest: textOrNull(more, 'digest'),
      ...this.#parentOf(sessionId),
      ...readOrigin(more),
    };
  }

  #detailsOf(sessionId: string, of: string): SessionDetails {
    const known = this.#details.get(sessionId);
    if (known?.of === of) return known.details;
    const sql = `SELECT iif(session_id = '', '', min(client)) AS client, sum(is_error) AS errors, sum(kind = 'message') AS messages
      FROM events WHERE session_id = ?`;
    const details = readDetails(this.connection.get(sql, sessionId) ?? {});
    this.#details.set(sessionId, { of, details });
    return details;
  }
}
