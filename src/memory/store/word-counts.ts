import type { Bm25 } from './bm25.ts';
import type { Connection } from './connection.ts';
import type { Postings } from './postings.ts';
import { blob, list, variableNumbers } from './row.ts';

const wordCountBatchMax = 20_000;
const wordCountPageIds = 4_096;

/**
 * How many terms the lexical index holds of each summary, two bytes each, read from FTS5's own table when they are first
 * asked for and further on when there are newer summaries. The count of one that is worded anew stays the old one, and one
 * that comes back from a file under a lower id has none: counts only help to choose what is scored, never make a score.
 */
export class WordCounts {
  readonly #connection: Connection;
  readonly #counts = new Paged(Uint16Array);
  #lastId = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** A score for every summary, all 0. */
  zeros(): Paged<Float32Array> {
    return new Paged(Float32Array);
  }

  /** Adds what a word is worth in each of the summaries that have it. */
  addShares(scores: Paged<Float32Array>, { ids, times }: Postings, bm25: Bm25, idf: number): void {
    let key = -1;
    let page = scores.page(0);
    let lengths = this.#counts.page(0);
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at] ?? 0;
      const within = id % wordCountPageIds;
      if (id - within !== key) {
        key = id - within;
        page = scores.page(id);
        lengths = this.#counts.page(id);
      }
      page[within] = (page[within] ?? 0) + bm25.share(idf, times[at] ?? 0, lengths[within] ?? 0);
    }
  }

  /** How many terms each of `ids` has now, whatever is kept; those that the index has, in any order. */
  exact(ids: readonly number[]): { id: number; length: number }[] {
    return this.#sizes('id IN (SELECT value FROM json_each(?))', JSON.stringify(ids));
  }

  /** Takes in the summaries behind the last one. */
  follow(): void {
    for (;;) {
      const some = this.#sizes(`id > ? ORDER BY id LIMIT ${wordCountBatchMax}`, this.#lastId);
      for (const { id, length } of some) this.#counts.add(id, Math.min(length, 65_535));
      this.#lastId = some.at(-1)?.id ?? this.#lastId;
      if (some.length < wordCountBatchMax) return;
    }
  }

  #sizes(condition: string, value: string | number): { id: number; length: number }[] {
    const sql = `SELECT json_group_array(id) AS ids, CAST(coalesce(group_concat(sz, ''), '') AS BLOB) AS sizes
      FROM (SELECT id, sz FROM summaries_fts_docsize WHERE ${condition})`;
    const row = this.#connection.get(sql, value) ?? {};
    const sizes = variableNumbers(blob(row, 'sizes'));
    // One number a column.
    return list<number>(row, 'ids').map((id, at) => ({
      id,
      length: (sizes[2 * at] ?? 0) + (sizes[2 * at + 1] ?? 0),
    }));
  }
}

/** Numbers by id, in pages: ids are dense where there are any, and may be far apart. */
export class Paged<T extends Float32Array | Uint16Array> {
  readonly #pages = new Map<number, T>();
  readonly #make: new (
    length: number,
  ) => T;

  constructor(make: new (length: number) => T) {
    this.#make = make;
  }

  /** The numbers of all ids that share a page with `id`, by `id % wordCountPageIds`. */
  page(id: number): T {
    const key = Math.floor(id / wordCountPageIds);
    let page = this.#pages.get(key);
    if (page === undefined) {
      page = new this.#make(wordCountPageIds);
      this.#pages.set(key, page);
    }
    return page;
  }

  add(id: number, more: number): void {
    const page = this.page(id);
    page[id % wordCountPageIds] = (page[id % wordCountPageIds] ?? 0) + more;
  }

  /** The ids of the `limit` highest numbers above 0; of equals the higher ids. */
  highest(limit: number): number[] {
    const best = new Float64Array(limit);
    let least = 0;
    // The least of the highest, by a heap of them; then all that are above, and of the equal ones what there is room for.
    for (const page of this.#pages.values()) {
      for (let at = 0; at < page.length; at++) {
        const value = page[at] ?? 0;
        if (value <= least) continue;
        sink(best, value);
        least = best[0] ?? 0;
      }
    }
    const above: number[] = [];
    const equal: number[] = [];
    for (const [key, page] of this.#pages) {
      for (let at = 0; at < page.length; at++) {
        const value = page[at] ?? 0;
        if (value > least) above.push(key * wordCountPageIds + at);
        else if (value === least && value > 0) equal.push(key * wordCountPageIds + at);
      }
    }
    return [...above, ...equal.sort((a, b) => b - a).slice(0, limit - above.length)];
  }
}

/** Puts `value` in place of the least of a heap, the least of which is first. */
function sink(heap: Float64Array, value: number): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child += 1;
    if ((heap[child] ?? 0) >= value) break;
    heap[at] = heap[child] ?? 0;
    at = child;
  }
  heap[at] = value;
}
