import { archivePageRows } from '../../core/limits.ts';
import type { Connection } from './connection.ts';
import { flag, number, type Row, text, textOrNull } from './row.ts';

/** A row as it leaves the database and comes back: related by event ids, which are the same in every database. */
export type ArchiveRow =
  | ({ readonly type: 'event' } & ArchiveEvent)
  | ({ readonly type: 'summary' } & ArchiveSummary)
  | ({ readonly type: 'edge' } & ArchiveEdge)
  | ({ readonly type: 'prompt' } & ArchivePrompt)
  | ({ readonly type: 'digest' } & ArchiveDigest)
  | ({ readonly type: 'forgotten' } & ArchiveForgotten);

export interface ArchiveEvent {
  readonly id: string;
  readonly ts: string;
  readonly sessionId: string;
  readonly tool: string;
  readonly toolUseId: string | null;
  readonly client: string;
  readonly isError: boolean;
  readonly status: 'raw' | 'summarized' | 'skipped';
  readonly attempts: number;
  readonly lastError: string | null;
  /** Characters of the payload before retention cut it; 0 where it has not. */
  readonly shrunk: number;
  readonly payloadJson: string;
}

export interface ArchiveSummary {
  readonly id: number;
  readonly eventId: string;
  readonly text: string;
  readonly terms: string;
  readonly model: string;
  readonly ts: string;
  readonly pinned: boolean;
}

export interface ArchiveEdge {
  /** The event of the newer summary. */
  readonly from: string;
  readonly to: string;
  readonly kind: 'supersedes' | 'contradicts';
  readonly evidence: string;
  readonly ts: string;
}

export interface ArchivePrompt {
  readonly id: string;
  readonly sessionId: string;
  readonly ts: string;
  readonly text: string;
}

export interface ArchiveDigest {
  readonly sessionId: string;
  readonly text: string;
  readonly terms: string;
  readonly model: string;
  readonly ts: string;
  /** The last event in it, or null when that is gone: then it is made anew. */
  readonly lastEvent: string | null;
}

/** An event that was forgotten or pruned: its id, and when. */
export interface ArchiveForgotten {
  readonly id: string;
  readonly ts: string;
}

/**
 * Everything that is kept, `archivePageRows` rows at a time: the ids of what is to stay away, then each event in the
 * order of arrival with its summary behind it, then edges, prompts, digests. Each page is one read, without a transaction
 * around them all: a reader who takes his time holds nobody up. What arrives meanwhile is left out.
 */
export function* allRows(connection: Connection): Generator<ArchiveRow> {
  const high = number(connection.get('SELECT coalesce(max(seq), 0) AS n FROM events') ?? {}, 'n');
  // First: whoever reads the file knows of them before he meets a summary that may quote one.
  yield* forgottenRows(connection);
  const eventsSql = `SELECT ${memoryColumns(connection)} FROM events e LEFT JOIN summaries s ON s.event_id = e.id`;
  yield* paged((after: number) => {
    const rows = connection.all(
      `${eventsSql} WHERE e.seq > ? AND e.seq <= ? ORDER BY e.seq LIMIT ?`,
      after,
      high,
      archivePageRows,
    );
    return { rows: rows.flatMap(memoryOf), next: lastOf(rows, (row) => number(row, 'seq')) };
  }, 0);
  yield* paged(
    (after: readonly [number, number, string]) => {
      const rows = connection.all(
        `${edgesSql} WHERE (x.from_id, x.to_id, x.kind) > (?, ?, ?) AND f.seq <= ? AND t.seq <= ?
         ORDER BY x.from_id, x.to_id, x.kind LIMIT ?`,
        ...after,
        high,
        high,
        archivePageRows,
      );
      return {
        rows: rows.map(edgeOf),
        next: lastOf(
          rows,
          (row) => [number(row, 'from_id'), number(row, 'to_id'), text(row, 'kind')] as const,
        ),
      };
    },
    [0, 0, ''] as const,
  );
  yield* sessionRows(connection);
}

/** Some memories with their events, and each edge that touches them once. */
export function* rowsOf(connection: Connection, summaryIds: readonly number[]): Generator<ArchiveRow> {
  const pages = Array.from({ length: Math.ceil(summaryIds.length / archivePageRows) }, (_, page) =>
    JSON.stringify(summaryIds.slice(page * archivePageRows, (page + 1) * archivePageRows)),
  );
  const columns = memoryColumns(connection);
  for (const ids of pages) {
    // A cross join keeps its order: from the ids to the rows, not through all events.
    const sql = `SELECT ${columns} FROM json_each(?) j CROSS JOIN summaries s ON s.id = j.value
      CROSS JOIN events e ON e.id = s.event_id ORDER BY j.key`;
    yield* connection.all(sql, ids).flatMap(memoryOf);
  }
  const chosen = new Set(summaryIds);
  for (const ids of pages) {
    const within = 'IN (SELECT value FROM json_each(?))';
    yield* connection.all(`${edgesSql} WHERE x.from_id ${within}`, ids).map(edgeOf);
    const toThem = connection.all(`${edgesSql} WHERE x.to_id ${within}`, ids);
    yield* toThem.filter((row) => !chosen.has(number(row, 'from_id'))).map(edgeOf);
  }
}

function* forgottenRows(connection: Connection): Generator<ArchiveRow> {
  if (!connection.hasTable('forgotten')) return;
  yield* paged((after: string) => {
    const sql = 'SELECT event_id, ts FROM forgotten WHERE event_id > ? ORDER BY event_id LIMIT ?';
    const rows = connection.all(sql, after, archivePageRows);
    return { rows: rows.map(forgottenOf), next: lastOf(rows, (row) => text(row, 'event_id')) };
  }, '');
}

function* sessionRows(connection: Connection): Generator<ArchiveRow> {
  if (!connection.hasTable('prompts') || !connection.hasTable('digests')) return;
  yield* paged((after: string) => {
    const sql = 'SELECT id, session_id, ts, text FROM prompts WHERE id > ? ORDER BY id LIMIT ?';
    const rows = connection.all(sql, after, archivePageRows);
    return { rows: rows.map(promptOf), next: lastOf(rows, (row) => text(row, 'id')) };
  }, '');
  yield* paged((after: string | null) => {
    const sql = `SELECT d.session_id, d.text, d.terms, d.model, d.ts, e.id AS last_event
      FROM digests d LEFT JOIN events e ON e.seq = d.last_seq
      WHERE ?1 IS NULL OR d.session_id > ?1 ORDER BY d.session_id LIMIT ?2`;
    const rows = connection.all(sql, after, archivePageRows);
    return { rows: rows.map(digestOf), next: lastOf(rows, (row) => text(row, 'session_id')) };
  }, null);
}

function* paged<Key>(
  page: (after: Key) => { rows: readonly ArchiveRow[]; next: Key | null },
  first: Key,
): Generator<ArchiveRow> {
  for (let after = first; ; ) {
    const { rows, next } = page(after);
    yield* rows;
    if (next === null) return;
    after = next;
  }
}

/** Null when there can be no further page. */
function lastOf<Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Key | null {
  const last = rows.at(-1);
  return last === undefined || rows.length < archivePageRows ? null : keyOf(last);
}

function memoryColumns(connection: Connection): string {
  const shrunk = connection.hasColumn('events', 'shrunk') ? 'e.shrunk' : '0';
  return `e.seq, e.id AS event_id, e.ts AS event_ts, e.session_id, e.tool, e.tool_use_id, e.client, e.payload_json,
    e.is_error, e.status, e.attempts, e.last_error, ${shrunk} AS shrunk,
    s.id, s.text, s.terms, s.model, s.ts, s.pinned`;
}

const edgesSql = `SELECT x.from_id, x.to_id, f.id AS "from", t.id AS "to", x.kind, x.evidence, x.ts FROM edges x
  JOIN summaries sf ON sf.id = x.from_id JOIN events f ON f.id = sf.event_id
  JOIN summaries st ON st.id = x.to_id JOIN events t ON t.id = st.event_id`;

function memoryOf(row: Row): ArchiveRow[] {
  const status = text(row, 'status');
  const event: ArchiveRow = {
    type: 'event',
    id: text(row, 'event_id'),
    ts: text(row, 'event_ts'),
    sessionId: text(row, 'session_id'),
    tool: text(row, 'tool'),
    toolUseId: textOrNull(row, 'tool_use_id'),
    client: text(row, 'client'),
    isError: flag(row, 'is_error'),
    status: status === 'summarized' || status === 'skipped' ? status : 'raw',
    attempts: number(row, 'attempts'),
    lastError: textOrNull(row, 'last_error'),
    shrunk: Math.max(number(row, 'shrunk'), 0),
    payloadJson: text(row, 'payload_json'),
  };
  if (row['id'] === null) return [event];
  const summary: ArchiveRow = {
    type: 'summary',
    id: number(row, 'id'),
    eventId: event.id,
    text: text(row, 'text'),
    terms: text(row, 'terms'),
    model: text(row, 'model'),
    ts: text(row, 'ts'),
    pinned: flag(row, 'pinned'),
  };
  return [event, summary];
}

function edgeOf(row: Row): ArchiveRow {
  return {
    type: 'edge',
    from: text(row, 'from'),
    to: text(row, 'to'),
    kind: text(row, 'kind') === 'supersedes' ? 'supersedes' : 'contradicts',
    evidence: text(row, 'evidence'),
    ts: text(row, 'ts'),
  };
}

function promptOf(row: Row): ArchiveRow {
  return {
    type: 'prompt',
    id: text(row, 'id'),
    sessionId: text(row, 'session_id'),
    ts: text(row, 'ts'),
    text: text(row, 'text'),
  };
}

function digestOf(row: Row): ArchiveRow {
  return {
    type: 'digest',
    sessionId: text(row, 'session_id'),
    text: text(row, 'text'),
    terms: text(row, 'terms'),
    model: text(row, 'model'),
    ts: text(row, 'ts'),
    lastEvent: textOrNull(row, 'last_event'),
  };
}

function forgottenOf(row: Row): ArchiveRow {
  return { type: 'forgotten', id: text(row, 'event_id'), ts: text(row, 'ts') };
}
