import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { type Embedder, vectorToBlob } from '../embed/index.ts';
import { type AskedWord, ftsTokenize, indexText, matchExpression } from '../terms/index.ts';
import type {
  CallPlace,
  Occurrences,
  SearchFilter,
  SearchRow,
  SearchStore,
  VectorRows,
} from './store-port.ts';

/** What a test says of a memory; the rest is filled in. */
export interface Memory {
  readonly text: string;
  readonly terms?: string;
  readonly ts?: string;
  readonly session?: string;
  readonly tool?: string;
  readonly pinned?: boolean;
}

/** A real SQLite database, in memory, with the tables that search reads. */
export class TestStore implements SearchStore {
  readonly database: DatabaseSyncInstance = new DatabaseSync(':memory:');
  #writes = 0;

  constructor() {
    this.database.exec(`
      CREATE TABLE events (seq INTEGER PRIMARY KEY, id TEXT UNIQUE, session_id TEXT, tool TEXT, tool_use_id TEXT);
      CREATE TABLE summaries (id INTEGER PRIMARY KEY AUTOINCREMENT, event_id TEXT UNIQUE, text TEXT, terms TEXT,
        model TEXT, ts TEXT, pinned INTEGER);
      CREATE VIRTUAL TABLE summaries_fts USING fts5 (text, terms, tokenize="${ftsTokenize}");
      CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab (main, summaries_fts, row);
      CREATE TABLE summary_embeddings (seq INTEGER PRIMARY KEY AUTOINCREMENT, summary_id INTEGER UNIQUE,
        embedder TEXT, version INTEGER, dim INTEGER, vector BLOB);
      CREATE TABLE edges (from_id INTEGER, to_id INTEGER, kind TEXT);
    `);
  }

  close(): void {
    this.database.close();
  }

  add(memory: Memory): number {
    const { text, terms = '', ts = '2026-01-01T00:00:00.000Z', session = 's1', tool = 'Bash' } = memory;
    const eventId = `ev_${this.#writes}`;
    this.database
      .prepare('INSERT INTO events (id, session_id, tool, tool_use_id) VALUES (?, ?, ?, NULL)')
      .run(eventId, session, tool);
    const { lastInsertRowid } = this.database
      .prepare("INSERT INTO summaries (event_id, text, terms, model, ts, pinned) VALUES (?, ?, ?, 'm', ?, ?)")
      .run(eventId, text, terms, ts, memory.pinned ? 1 : 0);
    const id = Number(lastInsertRowid);
    this.database
      .prepare('INSERT INTO summaries_fts (rowid, text, terms) VALUES (?, ?, ?)')
      .run(id, indexText(text), indexText(terms));
    this.#writes += 1;
    return id;
  }

  /** Makes the vectors of `ids` anew. */
  async embed(embedder: Embedder, ids: readonly number[]): Promise<void> {
    const rows = this.rows(ids);
    const vectors = await embedder.embed(
      rows.map(({ text }) => text),
      new AbortController().signal,
    );
    for (const [at, vector] of vectors.entries())
      this.putVector(embedder, rows[at]?.id ?? 0, vectorToBlob(vector));
  }

  putVector(embedder: Embedder, id: number, blob: Uint8Array): void {
    this.database
      .prepare(
        'INSERT OR REPLACE INTO summary_embeddings (summary_id, embedder, version, dim, vector) VALUES (?, ?, ?, ?, ?)',
      )
      .run(id, embedder.name, embedder.version, blob.byteLength / 4, blob);
    this.#writes += 1;
  }

  supersede(newer: number, older: number): void {
    this.database.prepare("INSERT INTO edges VALUES (?, ?, 'supersedes')").run(newer, older);
    this.#writes += 1;
  }

  forget(id: number): void {
    for (const sql of [
      'summaries WHERE id',
      'summaries_fts WHERE rowid',
      'summary_embeddings WHERE summary_id',
    ]) {
      this.database.prepare(`DELETE FROM ${sql} = ?`).run(id);
    }
    this.#writes += 1;
  }

  dataVersion(): number {
    return this.#writes;
  }

  summaryCount(): number {
    return numberAt(this.#all('SELECT count(*) AS n FROM summaries')[0], 'n');
  }

  documentFrequency(terms: readonly string[]): Map<string, number> {
    const found = new Map<string, number>();
    for (const term of terms) {
      const row = this.#all('SELECT doc FROM temp.vocabulary WHERE term = ?', term)[0];
      if (row !== undefined) found.set(term, numberAt(row, 'doc'));
    }
    return found;
  }

  lexical(words: readonly AskedWord[], limit: number, filter: SearchFilter): { id: number; score: number }[] {
    const sql = `SELECT f.rowid AS id, -bm25(summaries_fts) AS score
      FROM summaries_fts f JOIN summaries s ON s.id = f.rowid JOIN events e ON e.id = s.event_id
      WHERE summaries_fts MATCH ?1 AND (?2 IS NULL OR e.session_id = ?2) AND (?3 IS NULL OR e.tool = ?3)
      ORDER BY score DESC, id DESC LIMIT ?4`;
    const rows = this.#all(sql, matchExpression(words), filter.session ?? null, filter.tool ?? null, limit);
    return rows.map((row) => ({ id: numberAt(row, 'id'), score: numberAt(row, 'score') }));
  }

  filteredIds(filter: SearchFilter): Set<number> | null {
    if (filter.session === undefined && filter.tool === undefined) return null;
    const sql = `SELECT s.id FROM summaries s JOIN events e ON e.id = s.event_id
      WHERE (?1 IS NULL OR e.session_id = ?1) AND (?2 IS NULL OR e.tool = ?2)`;
    return new Set(
      this.#all(sql, filter.session ?? null, filter.tool ?? null).map((row) => numberAt(row, 'id')),
    );
  }

  places(ids: readonly number[]): CallPlace[] {
    return this.rows(ids).map(({ id, ts, tool, sessionId, pinned }) => ({ id, ts, tool, sessionId, pinned }));
  }

  rows(ids: readonly number[]): SearchRow[] {
    const sql = `SELECT s.*, e.session_id, e.tool FROM summaries s JOIN events e ON e.id = s.event_id
      WHERE s.id IN (SELECT value FROM json_each(?))`;
    return this.#all(sql, JSON.stringify(ids)).map((row) => ({
      id: numberAt(row, 'id'),
      eventId: String(row.event_id),
      toolUseId: null,
      text: String(row.text),
      terms: String(row.terms),
      model: String(row.model),
      ts: String(row.ts),
      tool: String(row.tool),
      sessionId: String(row.session_id),
      pinned: row.pinned === 1,
    }));
  }

  occurrences(ids: readonly number[], words: readonly AskedWord[]): Occurrences[] {
    const sql = `SELECT rowid, text || ' ' || terms AS text FROM summaries_fts
      WHERE rowid IN (SELECT value FROM json_each(?))`;
    return this.#all(sql, JSON.stringify(ids)).map((row) => {
      const there = String(row.text).trim().split(' ');
      const counts = words.map(
        ({ term, prefix }) => there.filter((one) => (prefix ? one.startsWith(term) : one === term)).length,
      );
      return { id: numberAt(row, 'rowid'), counts, length: there.length };
    });
  }

  supersededBy(ids: readonly number[]): { older: number; newer: number }[] {
    const sql = `SELECT to_id, from_id FROM edges
      WHERE kind = 'supersedes' AND to_id IN (SELECT value FROM json_each(?))`;
    return this.#all(sql, JSON.stringify(ids)).map((row) => ({
      older: numberAt(row, 'to_id'),
      newer: numberAt(row, 'from_id'),
    }));
  }

  sessionsOf(ids: readonly number[]): string[] {
    const known = new Map(this.rows(ids).map(({ id, sessionId }) => [id, sessionId]));
    return ids.map((id) => known.get(id) ?? '');
  }

  vectorsAfter(seq: number, embedder: string, version: number, limit: number): VectorRows {
    const sql = 'SELECT * FROM summary_embeddings WHERE seq > ? ORDER BY seq LIMIT ?';
    return vectorRows(this.#all(sql, seq, limit), embedder, version);
  }

  vectorCount(): number {
    return this.vectorIdsBetween(0, Number.MAX_SAFE_INTEGER).length;
  }

  vectorCountBetween(from: number, until: number): number {
    return this.vectorIdsBetween(from, until).length;
  }

  vectorIdsBetween(from: number, until: number): number[] {
    const sql = 'SELECT summary_id FROM summary_embeddings WHERE summary_id >= ? AND summary_id < ?';
    return this.#all(sql, from, until).map((row) => numberAt(row, 'summary_id'));
  }

  #all(sql: string, ...values: (string | number | null)[]): Record<string, unknown>[] {
    return this.database.prepare(sql).all(...values) as Record<string, unknown>[];
  }
}

function numberAt(row: Record<string, unknown> | undefined, column: string): number {
  return Number(row?.[column] ?? 0);
}

function vectorRows(rows: Record<string, unknown>[], embedder: string, version: number): VectorRows {
  const vectors = rows.map((row) => {
    const isOwn = row.embedder === embedder && row.version === version;
    return isOwn && row.vector instanceof Uint8Array ? row.vector : null;
  });
  return {
    lastSeq: numberAt(rows.at(-1), 'seq'),
    summaryIds: rows.map((row) => numberAt(row, 'summary_id')),
    dims: rows.map((row) => numberAt(row, 'dim')),
    byteLengths: vectors.map((vector) => vector?.byteLength ?? -1),
    vectors: Buffer.concat(vectors.filter((vector) => vector !== null)),
  };
}
