import { type MemoryKind, noteTool, type Role } from '#core/event';
import { archivePageRows } from '#core/limits';
import { faultPoint } from '#core/platform';
import type { ArchiveSummary } from '../reads/archive-rows.ts';
import type { SummaryFilter } from '../reads/filter.ts';
import { indexRows, unindexSql } from '../reads/passages.ts';
import {
  clausesOf,
  emptyWal,
  eraseAsked,
  erasePrompts,
  eraseRemovedTerms,
  traceOf,
} from '../repair/erase.ts';
import { flag, number, type Row, rowReader, text, textOrNull } from '../row.ts';
import { archiveIdMax, indexDigests } from './digest-index.ts';
import { removeEnd } from './ends.ts';
import { ForgottenTable } from './forgotten.ts';
import { messageToolNames } from './message-columns.ts';
import { isPinned, originColumns } from './origin.ts';
import { Table } from './table.ts';

/** A memory as every interface shows it. */
export interface Summary
  extends Omit<ReturnType<typeof readColumns>, 'kind' | 'role' | 'turnId' | 'isError' | 'pinnedBy'> {
  readonly kind: MemoryKind;
  /** Who wrote the message. */
  readonly role?: Role;
  /** The client's id of the message's turn. */
  readonly turnId?: string;
  /** The other author who pinned it. */
  readonly pinnedBy?: string;
  /** Only of a failed call. */
  readonly isError?: boolean;
}

export interface SummaryWithTerms extends Summary {
  /** Further words for search. */
  readonly terms: string;
}

const summaryShape = {
  id: number,
  eventId: text,
  toolUseId: textOrNull,
  text,
  model: text,
  ts: text,
  tool: text,
  sessionId: text,
  /** Not by an author whom nobody trusts. */
  pinned: flag,
  pinnedBy: textOrNull,
  isError: flag,
  kind: text,
  role: textOrNull,
  turnId: textOrNull,
};
const readColumns = rowReader(summaryShape);

/** Reads `summaryColumns`. A call has neither role nor turn. */
export function readSummary(row: Row): Summary {
  const { kind, role, turnId, isError, pinnedBy, ...summary } = readColumns(row);
  return {
    ...summary,
    kind: kind === 'message' || kind === 'session' ? kind : 'call',
    ...(role !== null && { role: role === 'assistant' ? role : 'user' }),
    ...(turnId !== null && { turnId }),
    ...(pinnedBy !== null && { pinnedBy }),
    ...(isError && { isError }),
  };
}

/** A finished summary that is not stored yet. */
export interface NewSummary {
  readonly eventSeq: number;
  readonly text: string;
  readonly terms: string;
  readonly model: string;
}

/** Writes the builtin summary of an event again, from its payload. */
export type Resummarise = (payloadJson: string) => Words;

export interface Words {
  readonly text: string;
  readonly terms: string;
}

/** Columns of `summaries s` and `events e`. */
export const summaryColumns = `s.id, s.event_id, e.tool_use_id, s.text, s.model, s.ts, e.tool, e.session_id, ${isPinned('s')} AS pinned, s.pinned_by, e.is_error,
  e.kind, e.role, e.turn_id${originColumns}`;

const pinSql = 'UPDATE summaries SET pinned = ?, pinned_by = NULL WHERE id = ?';
const from = 'FROM summaries s JOIN events e ON e.id = s.event_id';

/** The memories and their lexical index. */
export class SummaryTable extends Table {
  /**
   * Stores the summaries of rows that `owner` still holds, in one transaction; returns how many. A former summary is replaced:
   * its id, pin and edges stay, its vector is removed.
   */
  finish(owner: string, summaries: readonly NewSummary[]): number {
    return this.connection.transaction(() =>
      summaries.reduce((count, summary) => count + (this.#finishOne(owner, summary, 'raw') ? 1 : 0), 0),
    );
  }

  /**
   * Replaces builtin summaries by better ones, for rows that `owner` still holds; returns how many. Id, pin, time and edges
   * stay; vector and subjects are removed.
   */
  refine(owner: string, summaries: readonly NewSummary[]): number {
    const stillBuiltin = `SELECT 1 FROM summaries s JOIN events e ON e.id = s.event_id
      WHERE e.seq = ? AND s.model = 'builtin'`;
    return this.connection.transaction(
      () =>
        summaries.filter(
          (summary) =>
            this.connection.has(stillBuiltin, summary.eventSeq) &&
            this.#finishOne(owner, summary, 'summarized'),
        ).length,
    );
  }

  get(ids: readonly number[]): Summary[] {
    const sql = `SELECT ${summaryColumns} ${from} WHERE s.id IN (SELECT value FROM json_each(?))`;
    const rows = this.connection.all(sql, JSON.stringify(ids)).map(readSummary);
    const found = new Map(rows.map((summary) => [summary.id, summary]));
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  /** Newest first; `before` is the id of the last summary seen, or a time that all must be older than. */
  recent(limit: number, before: number | string | null, filter: SummaryFilter): Summary[] {
    const older =
      typeof before === 'string'
        ? 's.ts < ?1'
        : '(s.ts, s.id) < (SELECT b.ts, b.id FROM summaries b WHERE b.id = ?1)';
    const sql = `SELECT ${summaryColumns} ${from}
      WHERE (?1 IS NULL OR ${older})
        AND (?2 IS NULL OR e.session_id = ?2) AND (?3 IS NULL OR e.tool = ?3 COLLATE NOCASE)
        AND (?4 IS NULL OR e.kind IN (SELECT value FROM json_each(?4)))
      ORDER BY s.ts DESC, s.id DESC LIMIT ?5`;
    const { session = null, tool = null, kinds } = filter;
    const wanted = kinds === undefined ? null : JSON.stringify(kinds);
    return this.connection.all(sql, before, session, tool, wanted, limit).map(readSummary);
  }

  /** The stored payload of a summary's event. */
  payloadJson(id: number): string | null {
    const sql = 'SELECT e.payload_json FROM summaries s JOIN events e ON e.id = s.event_id WHERE s.id = ?';
    const row = this.connection.get(sql, id);
    return row === undefined ? null : textOrNull(row, 'payload_json');
  }

  /** Returns whether the summary exists. */
  pin(id: number, pinned: boolean): boolean {
    return this.connection.run(pinSql, pinned ? 1 : 0, id) > 0;
  }

  /**
   * Removes a memory with its event, index entry, vector and edges, so that no byte of them stays in the database files and the
   * event cannot be stored again. Returns whether it existed. `resummarise` rewrites the summaries that may quote it.
   */
  forget(id: number, resummarise: Resummarise | null = null): boolean {
    const forgotten = this.connection.transaction(() => {
      const trace = traceOf(this.connection, id);
      if (trace === null) return false;
      const prompts = erasePrompts(this.connection, trace);
      new ForgottenTable(this).add([trace.eventId, ...prompts], new Date().toISOString());
      this.eraseEvent(trace.eventId, resummarise);
      faultPoint('forget.rows');
      return true;
    });
    // If a reader blocks this, the next checkpoint does it.
    if (forgotten) emptyWal(this.connection);
    return forgotten;
  }

  /** Within a transaction: removes an event, its summary, and its words in other summaries. */
  eraseEvent(eventId: string, resummarise: Resummarise | null): void {
    for (const { summaryId, payloadJson } of removeEnd(this.connection, eventId)) {
      const words = resummarise?.(payloadJson);
      if (words === undefined) continue;
      this.#reworded(summaryId, words.text, words.terms);
      // Also what a model has written.
      this.connection.run("UPDATE summaries SET model = 'builtin' WHERE id = ?", summaryId);
    }
    for (const { id, text: words, terms } of clausesOf(this.connection, eventId))
      this.#reworded(id, words, terms);
    this.connection.run('DELETE FROM events WHERE id = ?', eventId);
    eraseRemovedTerms(this.connection);
  }

  /** The same, for one that quoted what is removed: so may what a model was told of it. */
  #reworded(id: number, words: string, terms: string): void {
    this.reword(id, words, terms);
    eraseAsked(this.connection, id);
  }

  /** Replaces the words of a summary: id, pin and edges stay, the vector is removed. */
  reword(id: number, words: string, terms: string): void {
    this.connection.run('UPDATE summaries SET text = ?, terms = ? WHERE id = ?', words, terms, id);
    this.#index(id, words, terms);
    this.connection.run('DELETE FROM summary_embeddings WHERE summary_id = ?', id);
    this.#uncurate(id);
  }

  /** Imports a summary, under its id if that is free. False if the event has one. */
  bringBack({ id, eventId, text: words, terms, model, ts, pinned }: ArchiveSummary): boolean {
    const sql = `INSERT INTO summaries (id, event_id, text, terms, model, ts, pinned)
      SELECT CASE WHEN ?1 IN (SELECT id FROM summaries UNION ALL SELECT id FROM digests) OR ?1 > ${archiveIdMax} THEN NULL ELSE ?1 END, ?2, ?3, ?4, ?5, ?6, ?7
      WHERE 1 ON CONFLICT (event_id) DO NOTHING RETURNING id`;
    const row = this.connection.get(sql, id, eventId, words, terms, model, ts, pinned ? 1 : 0);
    if (row !== undefined) this.#index(number(row, 'id'), words, terms);
    return row !== undefined;
  }

  /** Fills an empty lexical index (an operator emptied it). Returns how many memories were added. */
  rebuildIndex(): number {
    if (!this.#isIndexEmpty()) return 0;
    // Another process can have filled it in the meantime, so it is looked at again under the lock.
    return this.connection.transaction(() => (this.#isIndexEmpty() ? this.#fillIndex() : 0));
  }

  /** Empties the lexical index and fills it again. Returns how many memories it holds. */
  renewIndex(): number {
    return this.connection.transaction(() => {
      this.connection.exec('DELETE FROM summaries_fts');
      return this.#fillIndex();
    });
  }

  #isIndexEmpty(): boolean {
    return !this.connection.has('SELECT 1 FROM summaries_fts LIMIT 1');
  }

  #fillIndex(): number {
    const sql = `SELECT s.id, s.text, s.terms, CASE WHEN e.tool IN (${messageToolNames}) THEN e.payload_json END AS said
      FROM summaries s LEFT JOIN events e ON e.id = s.event_id WHERE s.id > ? ORDER BY s.id LIMIT ?`;
    let count = 0;
    for (const row of this.connection.paged(sql, archivePageRows, { id: 0 })) {
      this.#addToIndex(number(row, 'id'), text(row, 'text'), text(row, 'terms'), textOrNull(row, 'said'));
      count += 1;
    }
    return count + indexDigests(this.connection);
  }

  #finishOne(owner: string, summary: NewSummary, from: 'raw' | 'summarized'): boolean {
    const sql = `UPDATE events SET status = 'summarized', attempts = 0, lease_owner = NULL, lease_until = 0, last_error = NULL
      WHERE seq = ? AND lease_owner = ? AND status = ?
      RETURNING id, ts, tool = '${noteTool}' AND json_valid(payload_json) AND coalesce(payload_json ->> '$.input.pin', 0) AS pinned`;
    const event = this.connection.get(sql, summary.eventSeq, owner, from);
    if (event === undefined) return false;
    const upsert = `
      INSERT INTO summaries (event_id, text, terms, model, ts, pinned) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (event_id) DO UPDATE SET text = excluded.text, terms = excluded.terms, model = excluded.model
      RETURNING id`;
    const { text: words, terms, model } = summary;
    const first = [text(event, 'ts'), number(event, 'pinned')] as const;
    const row = this.connection.get(upsert, text(event, 'id'), words, terms, model, ...first);
    const id = number(row ?? {}, 'id');
    this.#index(id, words, terms);
    this.connection.run('DELETE FROM summary_embeddings WHERE summary_id = ?', id);
    this.#uncurate(id);
    return true;
  }

  /** The curator processes the summary again. */
  #uncurate(id: number): void {
    this.connection.run('UPDATE summaries SET curated = 0 WHERE id = ? AND curated <> 0', id);
    this.connection.run('DELETE FROM subjects WHERE summary_id = ?', id);
  }

  #index(id: number, words: string, terms: string): void {
    this.connection.exec(unindexSql(String(id)));
    const sql = `SELECT e.payload_json FROM summaries s JOIN events e ON e.id = s.event_id
      WHERE s.id = ? AND e.tool IN (${messageToolNames})`;
    const message = this.connection.get(sql, id);
    this.#addToIndex(id, words, terms, message === undefined ? null : text(message, 'payload_json'));
  }

  #addToIndex(id: number, words: string, terms: string, payloadJson: string | null): void {
    const sql = 'INSERT INTO summaries_fts (rowid, text, terms) VALUES (?, ?, ?)';
    for (const row of indexRows(id, { text: words, terms }, payloadJson))
      this.connection.run(sql, row.row, row.text, row.terms);
  }
}
