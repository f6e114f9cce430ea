import type { MemoryKind } from '#core/event';
import type { Connection } from '../connection.ts';
import { flag, number, type Row, rowReader, text } from '../row.ts';
import { EdgeTable } from '../tables/edges.ts';
import { isPinned } from '../tables/origin.ts';
import { messageText, shownPayload } from '../tables/payload.ts';
import { readSummary, type Summary, summaryColumns } from '../tables/summaries.ts';
import { Table } from '../tables/table.ts';
import { checked, conditions, filteredIds } from './filter.ts';

const bridgeGraphNodesMax = 150;
const bridgePayloadCharsMax = 256 * 1024;

/** A summary in a listing. */
export interface Listed extends Summary {
  readonly client: string;
  readonly isError: boolean;
  /** The newest summary that replaced this one. */
  readonly supersededBy?: number;
}

/** A position in a listing: the last row of the page before, or a time that all rows must be older than. */
export type ListCursor = { readonly ts: string; readonly id: number | null } | { readonly id: number };

export interface ListRequest {
  readonly limit: number;
  readonly before: ListCursor | null;
  readonly session: string | null;
  readonly tool: string | null;
  readonly kinds: readonly MemoryKind[] | null;
  readonly client: string | null;
  /** A path or the end of one. */
  readonly file: string | null;
  readonly failed: boolean;
  /** ISO 8601, inclusive. */
  readonly since: string | null;
  /** ISO 8601, exclusive. */
  readonly until: string | null;
  readonly pinned: boolean;
}

const columns = `${summaryColumns}, e.client, e.is_error,
  (SELECT max(from_id) FROM edges WHERE to_id = s.id AND kind = 'supersedes') AS superseded_by`;

/** The lists and details that the page shows. Every read has a bounded size. */
export class Browse extends Table {
  readonly #edges = new EdgeTable(this);

  /** Newest `ts` first, then id. `next` is null at the end. */
  summaries(request: ListRequest): { summaries: Listed[]; next: { ts: string; id: number } | null } {
    const { sql, values } = where(this.connection, request);
    // A cross join keeps its order: SQLite follows the index of times and stops at the limit. A session has its own index.
    const join = request.session === null ? 'CROSS JOIN' : 'JOIN';
    const rows = this.connection.all(
      `SELECT ${columns} FROM summaries s ${join} events e ON e.id = s.event_id WHERE 1 ${sql}
       ORDER BY s.ts DESC, s.id DESC LIMIT ?`,
      ...values,
      request.limit + 1,
    );
    const summaries = rows.slice(0, request.limit).map(listedOf);
    const last = summaries.at(-1);
    return {
      summaries,
      next: rows.length > request.limit && last !== undefined ? { ts: last.ts, id: last.id } : null,
    };
  }

  summary(id: number) {
    const row = this.connection.get(
      `SELECT ${columns}, e.seq, s.terms, length(e.payload_json) AS chars, substr(e.payload_json, 1, ?) AS payload,
         v.embedder, v.version, v.dim, (SELECT count(*) FROM edges WHERE s.id IN (from_id, to_id)) AS edges
       FROM summaries s JOIN events e ON e.id = s.event_id
         LEFT JOIN summary_embeddings v ON v.summary_id = s.id WHERE s.id = ?`,
      bridgePayloadCharsMax,
      id,
    );
    if (row === undefined) return null;
    const isCut = number(row, 'chars') > bridgePayloadCharsMax;
    const payload: unknown = isCut ? text(row, 'payload') : shownPayload(text(row, 'payload'));
    const listed = listedOf(row);
    const ownText = listed.kind === 'message' ? messageText(payload) : null;
    return {
      ...listed,
      seq: number(row, 'seq'),
      text: ownText ?? listed.text,
      terms: text(row, 'terms'),
      payload,
      ...(isCut && { payloadCut: true }),
      embedding: row.embedder === null ? null : readEmbedding(row),
      edges: number(row, 'edges'),
    };
  }

  /** The summaries within `depth` edges of a summary, the nearest first; null if it does not exist. */
  graph(id: number, depth: number) {
    const { ids, edges } = this.#edges.neighbourhood(id, depth);
    const kept = ids.slice(0, bridgeGraphNodesMax);
    const nodes = this.#nodes(kept);
    if (!nodes.some((node) => node.id === id)) return null;
    const known = new Set(kept);
    return {
      nodes,
      edges: edges.filter(({ from, to }) => known.has(from) && known.has(to)),
      /** Nodes were left out. */
      cut: ids.length > kept.length,
    };
  }

  #nodes(ids: readonly number[]) {
    const rows = this.connection.all(
      `SELECT ${columns} FROM summaries s JOIN events e ON e.id = s.event_id
       WHERE s.id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(ids),
    );
    const found = new Map(
      rows.map((row) => [number(row, 'id'), { ...readSummary(row), superseded: row.superseded_by !== null }]),
    );
    return ids.flatMap((id) => found.get(id) ?? []);
  }
}

function where(connection: Connection, request: ListRequest): { sql: string; values: (string | number)[] } {
  const { before, kinds, file, pinned } = request;
  const { sql, values } = conditions(checked(connection, request));
  const parts: [string, (string | number)[]][] = [[sql, [...values]]];
  if (before !== null) parts.push(olderThan(before));
  if (file !== null) {
    const ids = filteredIds(connection, { file, kinds: ['call', 'message'] }) ?? [];
    parts.push(['AND s.id IN (SELECT value FROM json_each(?))', [JSON.stringify([...ids])]]);
  }
  if (kinds !== null) parts.push(['AND e.kind IN (SELECT value FROM json_each(?))', [JSON.stringify(kinds)]]);
  if (pinned) parts.push([`AND ${isPinned('s')}`, []]);
  return { sql: parts.map(([part]) => part).join(' '), values: parts.flatMap(([, given]) => given) };
}

function olderThan(before: ListCursor): [string, (string | number)[]] {
  if (!('ts' in before))
    return ['AND (s.ts, s.id) < (SELECT b.ts, b.id FROM summaries b WHERE b.id = ?)', [before.id]];
  if (before.id === null) return ['AND s.ts < ?', [before.ts]];
  return ['AND (s.ts, s.id) < (?, ?)', [before.ts, before.id]];
}

const readOrigin = rowReader({ client: text, isError: flag });
const readEmbedding = rowReader({ embedder: text, version: number, dim: number });

function listedOf(row: Row): Listed {
  return {
    ...readSummary(row),
    ...readOrigin(row),
    ...(row.superseded_by !== null && { supersededBy: number(row, 'superseded_by') }),
  };
}
