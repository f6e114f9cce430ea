import type { Connection } from './connection.ts';
import type { Edge, EdgeTable } from './edges.ts';
import { shownPayload } from './payload.ts';
import { flag, number, type Row, text } from './row.ts';
import type { Store } from './store.ts';
import { type Summary, summaryColumns, summaryOf } from './summaries.ts';

const bridgeGraphNodesMax = 150;
const bridgePayloadCharsMax = 256 * 1024;

/** A summary in a listing. */
export interface Listed extends Summary {
  readonly client: string;
  readonly isError: boolean;
  /** The newest summary that replaced this one. */
  readonly supersededBy?: number;
}

/** A summary with all that is kept beside it. */
export interface Whole extends Listed {
  /** Further words that it is found by. */
  readonly terms: string;
  /** The redacted payload; the head of its text when it is too long to show whole. */
  readonly payload: unknown;
  readonly payloadCut?: true;
  readonly embedding: { readonly embedder: string; readonly version: number; readonly dim: number } | null;
  /** How many edges begin or end at it. */
  readonly edges: number;
}

/** A place in a listing: the row that was seen last, or a time that all that follows must be older than. */
export type ListCursor = { readonly ts: string; readonly id: number | null } | { readonly id: number };

export interface ListRequest {
  readonly limit: number;
  readonly before: ListCursor | null;
  readonly session: string | null;
  readonly tool: string | null;
  /** ISO 8601, inclusive. */
  readonly since: string | null;
  /** ISO 8601, exclusive. */
  readonly until: string | null;
}

export interface Node extends Summary {
  readonly superseded: boolean;
}

export interface Neighbourhood {
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge[];
  /** There is more than is told. */
  readonly cut: boolean;
}

const columns = `${summaryColumns}, e.client, e.is_error,
  (SELECT max(from_id) FROM edges WHERE to_id = s.id AND kind = 'supersedes') AS superseded_by`;

/** What a person leafs through: every read is of bounded size, whatever is stored. */
export class Browse {
  readonly #connection: Connection;
  readonly #edges: EdgeTable;

  constructor(store: Pick<Store, 'connection' | 'edges'>) {
    this.#connection = store.connection;
    this.#edges = store.edges;
  }

  /** Newest `ts` first, then id. One row more than `limit` is read, to tell whether it is the end: then `next` is null. */
  summaries(request: ListRequest): { summaries: Listed[]; next: { ts: string; id: number } | null } {
    const { sql, values } = conditions(request);
    // SQLite keeps the order of a cross join: along the index of times, so that it can stop at the limit. A session has an index.
    const join = request.session === null ? 'CROSS JOIN' : 'JOIN';
    const rows = this.#connection.all(
      `SELECT ${columns} FROM summaries s ${join} events e ON e.id = s.event_id ${sql}
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

  summary(id: number): Whole | null {
    const row = this.#connection.get(
      `SELECT ${columns}, s.terms, length(e.payload_json) AS chars, substr(e.payload_json, 1, ?) AS payload,
         v.embedder, v.version, v.dim, (SELECT count(*) FROM edges WHERE s.id IN (from_id, to_id)) AS edges
       FROM summaries s JOIN events e ON e.id = s.event_id
         LEFT JOIN summary_embeddings v ON v.summary_id = s.id WHERE s.id = ?`,
      bridgePayloadCharsMax,
      id,
    );
    if (row === undefined) return null;
    const isCut = number(row, 'chars') > bridgePayloadCharsMax;
    const payload: unknown = isCut ? text(row, 'payload') : shownPayload(text(row, 'payload'));
    return {
      ...listedOf(row),
      terms: text(row, 'terms'),
      payload,
      ...(isCut && { payloadCut: true }),
      embedding: embeddingOf(row),
      edges: number(row, 'edges'),
    };
  }

  /** What stands within `depth` edges of a summary, the nearest first; null when there is no such one. */
  graph(id: number, depth: number): Neighbourhood | null {
    const { ids, edges } = this.#edges.neighbourhood(id, depth);
    const kept = ids.slice(0, bridgeGraphNodesMax);
    const nodes = this.#nodes(kept);
    if (!nodes.some((node) => node.id === id)) return null;
    const known = new Set(kept);
    return {
      nodes,
      edges: edges.filter(({ from, to }) => known.has(from) && known.has(to)),
      cut: ids.length > kept.length,
    };
  }

  #nodes(ids: readonly number[]): Node[] {
    const rows = this.#connection.all(
      `SELECT ${columns} FROM summaries s JOIN events e ON e.id = s.event_id
       WHERE s.id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(ids),
    );
    const found = new Map(rows.map((row) => [number(row, 'id'), nodeOf(row)]));
    return ids.flatMap((id) => found.get(id) ?? []);
  }
}

function conditions({ before, session, tool, since, until }: ListRequest): {
  sql: string;
  values: (string | number)[];
} {
  const parts: [string, (string | number)[]][] = [];
  if (before !== null) parts.push(olderThan(before));
  if (session !== null) parts.push(['e.session_id = ?', [session]]);
  if (tool !== null) parts.push(['e.tool = ?', [tool]]);
  if (since !== null) parts.push(['s.ts >= ?', [since]]);
  if (until !== null) parts.push(['s.ts < ?', [until]]);
  return {
    sql: parts.length === 0 ? '' : `WHERE ${parts.map(([condition]) => condition).join(' AND ')}`,
    values: parts.flatMap(([, values]) => values),
  };
}

function olderThan(before: ListCursor): [string, (string | number)[]] {
  if (!('ts' in before)) {
    return ['(s.ts, s.id) < (SELECT b.ts, b.id FROM summaries b WHERE b.id = ?)', [before.id]];
  }
  if (before.id === null) return ['s.ts < ?', [before.ts]];
  return ['(s.ts, s.id) < (?, ?)', [before.ts, before.id]];
}

function listedOf(row: Row): Listed {
  return {
    ...summaryOf(row),
    client: text(row, 'client'),
    isError: flag(row, 'is_error'),
    ...(row.superseded_by !== null && { supersededBy: number(row, 'superseded_by') }),
  };
}

function nodeOf(row: Row): Node {
  return { ...summaryOf(row), superseded: row.superseded_by !== null };
}

function embeddingOf(row: Row): Whole['embedding'] {
  if (row.embedder === null) return null;
  return { embedder: text(row, 'embedder'), version: number(row, 'version'), dim: number(row, 'dim') };
}
