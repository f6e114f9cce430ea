import { archivePageRows } from '#core/limits';
import type { Connection } from '../connection.ts';
import { flag, number, type Row, rowReader, text, textOrNull } from '../row.ts';
import { originColumns, sessionOriginColumns } from '../tables/origin.ts';

/** A row of an export. Rows refer to each other by event ids, which are the same in every database. */
export type ArchiveRow =
  | ArchiveEvent
  | ArchiveSummary
  | ArchiveEdge
  | ArchivePrompt
  | ArchiveDigest
  | ArchiveForgotten;

export type ArchiveEvent = ReturnType<typeof readEvent>;
const readEvent = rowReader({
  type: () => 'event' as const,
  id: (row) => text(row, 'event_id'),
  ts: (row) => text(row, 'event_ts'),
  sessionId: text,
  tool: text,
  toolUseId: textOrNull,
  client: text,
  isError: flag,
  status: (row, column) => {
    const status = text(row, column);
    return status === 'summarized' || status === 'skipped' ? status : 'raw';
  },
  attempts: number,
  lastError: textOrNull,
  /** Characters of the payload before retention shrank it; 0 if it is whole. */
  shrunk: (row, column) => Math.max(number(row, column), 0),
  payloadJson: text,
});

/** The other author who pinned a row; absent: the user whose memory it is. */
interface PinnedBy {
  readonly pinnedBy?: string;
}

export type ArchiveSummary = ReturnType<typeof readSummaryColumns> & PinnedBy;
const readSummaryColumns = rowReader({
  type: () => 'summary' as const,
  id: number,
  eventId: text,
  text,
  terms: text,
  model: text,
  ts: text,
  pinned: flag,
});
export const readSummary = withPinnedBy(readSummaryColumns);

export type ArchiveEdge = ReturnType<typeof readEdge>;
export const readEdge = rowReader({
  type: () => 'edge' as const,
  /** The event of the newer summary. */
  from: text,
  to: text,
  kind: (row, column) => (text(row, column) === 'supersedes' ? 'supersedes' : 'contradicts'),
  evidence: text,
  ts: text,
});

export type ArchivePrompt = ReturnType<typeof readPrompt>;
export const readPrompt = rowReader({
  type: () => 'prompt' as const,
  id: text,
  sessionId: text,
  ts: text,
  text,
});

export type ArchiveDigest = ReturnType<typeof readDigestColumns> & PinnedBy;
const readDigestColumns = rowReader({
  type: () => 'digest' as const,
  /** Null in files and databases of a version whose digests had none. */
  id: (row, column) => (typeof row[column] === 'number' ? number(row, column) : null),
  sessionId: text,
  text,
  terms: text,
  model: text,
  ts: text,
  /** The last event in it; null if that is gone: then the digest is written again. */
  lastEvent: textOrNull,
  pinned: flag,
});
export const readDigest = withPinnedBy(readDigestColumns);

function withPinnedBy<T>(read: (row: Row) => T): (row: Row) => T & PinnedBy {
  return (row) => {
    const by = row['pinned_by'];
    return { ...read(row), ...(typeof by === 'string' && row['pinned'] !== 0 && { pinnedBy: by }) };
  };
}

/** Whether rows of other authors are stored: an export of them cannot be read by a version that would take them for the user's own. */
export function hasOthers(connection: Connection): boolean {
  return connection.has('SELECT 1 FROM events WHERE is_foreign <> 0 LIMIT 1');
}

/** An event that was forgotten or pruned. */
export type ArchiveForgotten = ReturnType<typeof readForgotten>;
const readForgotten = rowReader({
  type: () => 'forgotten' as const,
  id: (row) => text(row, 'event_id'),
  ts: text,
});

/**
 * The whole database, `archivePageRows` rows at a time: the forgotten ids, each event in the order of arrival followed by its
 * summary, then edges, prompts, digests. Each page is one read without a common transaction, so that a slow reader blocks
 * nobody. Events that arrive meanwhile are left out.
 */
export function* allRows(connection: Connection): Generator<ArchiveRow> {
  const high = connection.newestSeq();
  // First: an import has to know them before it reads a summary that may quote one.
  const forgotten = 'SELECT event_id, ts FROM forgotten WHERE event_id > ? ORDER BY event_id LIMIT ?';
  for (const row of connection.paged(forgotten, archivePageRows, { event_id: '' })) yield readForgotten(row);
  const events = `SELECT ${memoryColumns} FROM events e LEFT JOIN summaries s ON s.event_id = e.id
    WHERE e.seq <= ? AND e.seq > ? ORDER BY e.seq LIMIT ?`;
  for (const row of connection.paged(events, archivePageRows, { seq: 0 }, high)) yield* memoryOf(row);
  const edges = `${edgesSql} WHERE f.seq <= ?1 AND t.seq <= ?1 AND (x.from_id, x.to_id, x.kind) > (?2, ?3, ?4)
    ORDER BY x.from_id, x.to_id, x.kind LIMIT ?5`;
  const beforeEdges = { from_id: 0, to_id: 0, kind: '' };
  for (const row of connection.paged(edges, archivePageRows, beforeEdges, high)) yield readEdge(row);
  const prompts = 'SELECT id, session_id, ts, text FROM prompts WHERE id > ? ORDER BY id LIMIT ?';
  for (const row of connection.paged(prompts, archivePageRows, { id: '' })) yield readPrompt(row);
  const digests = `SELECT d.id, d.pinned, d.session_id, d.text, d.terms, d.model, d.ts, e.id AS last_event,
      d.pinned_by${sessionOriginColumns('d.session_id')}
    FROM digests d LEFT JOIN events e ON e.seq = d.last_seq
    WHERE ?1 IS NULL OR d.session_id > ?1 ORDER BY d.session_id LIMIT ?2`;
  for (const row of connection.paged(digests, archivePageRows, { session_id: null })) yield readDigest(row);
}

/** Some events, each followed by its summary. */
export function memoriesAt(connection: Connection, eventIds: readonly string[]): ArchiveRow[] {
  const sql = `SELECT ${memoryColumns} FROM events e LEFT JOIN summaries s ON s.event_id = e.id
    WHERE e.id IN (SELECT value FROM json_each(?)) ORDER BY e.seq`;
  return connection.all(sql, JSON.stringify(eventIds)).flatMap(memoryOf);
}

/** Some memories with their events, and each edge from or to them once. */
export function* rowsOf(connection: Connection, summaryIds: readonly number[]): Generator<ArchiveRow> {
  const pages = Array.from({ length: Math.ceil(summaryIds.length / archivePageRows) }, (_, page) =>
    JSON.stringify(summaryIds.slice(page * archivePageRows, (page + 1) * archivePageRows)),
  );
  for (const ids of pages) {
    // A cross join keeps its order: from the ids to the rows, not through all events.
    const sql = `SELECT ${memoryColumns} FROM json_each(?) j CROSS JOIN summaries s ON s.id = j.value
      CROSS JOIN events e ON e.id = s.event_id ORDER BY j.key`;
    yield* connection.all(sql, ids).flatMap(memoryOf);
  }
  const chosen = new Set(summaryIds);
  for (const ids of pages) {
    const within = 'IN (SELECT value FROM json_each(?))';
    yield* connection.all(`${edgesSql} WHERE x.from_id ${within}`, ids).map(readEdge);
    const toThem = connection.all(`${edgesSql} WHERE x.to_id ${within}`, ids);
    yield* toThem.filter((row) => !chosen.has(number(row, 'from_id'))).map(readEdge);
  }
}

export const memoryColumns = `e.seq, e.id AS event_id, e.ts AS event_ts, e.session_id, e.tool, e.tool_use_id, e.client, e.payload_json,
  e.is_error, e.status, e.attempts, e.last_error, e.shrunk,
  s.id, s.text, s.terms, s.model, s.ts, s.pinned, s.pinned_by${originColumns}`;

export const edgesSql = `SELECT x.from_id, x.to_id, f.id AS "from", t.id AS "to", x.kind, x.evidence, x.ts FROM edges x
  JOIN summaries sf ON sf.id = x.from_id JOIN events f ON f.id = sf.event_id
  JOIN summaries st ON st.id = x.to_id JOIN events t ON t.id = st.event_id`;

export function memoryOf(row: Row): ArchiveRow[] {
  return row['id'] === null ? [readEvent(row)] : [readEvent(row), readSummary(row)];
}
