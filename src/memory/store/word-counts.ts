import type { Connection } from './connection.ts';
import { PagedNumbers } from './paged-numbers.ts';
import { blob, list, variableNumbers } from './row.ts';

const batchRows = 20_000;

/**
 * How many terms the lexical index holds for each summary, by id. A reworded summary keeps its old count, and
 * one imported under a lower id has none: counts only choose the candidates, the scores use exact ones.
 */
export class WordCounts {
  readonly #connection: Connection;
  readonly #counts = new PagedNumbers();
  #lastId = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The counts of all summaries, after reading those that are new. */
  all(): PagedNumbers {
    for (;;) {
      const rows = this.#read(`id > ? ORDER BY id LIMIT ${batchRows}`, this.#lastId);
      this.#lastId = rows.at(-1)?.id ?? this.#lastId;
      for (const { id, length } of rows) this.#counts.add(id, length);
      if (rows.length < batchRows) return this.#counts;
    }
  }

  /** The current counts of those of `ids` that the index holds, in any order. */
  exact(ids: readonly number[]): { id: number; length: number }[] {
    return this.#read('id IN (SELECT value FROM json_each(?))', JSON.stringify(ids));
  }

  #read(condition: string, value: string | number): { id: number; length: number }[] {
    const sql = `SELECT json_group_array(id) AS ids, CAST(coalesce(group_concat(sz, ''), '') AS BLOB) AS sizes
      FROM (SELECT id, sz FROM summaries_fts_docsize WHERE ${condition})`;
    const row = this.#connection.get(sql, value) ?? {};
    const sizes = variableNumbers(blob(row, 'sizes'));
    // One number for each of the two columns.
    return list<number>(row, 'ids').map((id, at) => ({
      id,
      length: (sizes[2 * at] ?? 0) + (sizes[2 * at + 1] ?? 0),
    }));
  }
}
