import { blob, list, variableNumbers } from '../row.ts';
import { Table } from '../tables/table.ts';
import { PagedNumbers } from './paged-numbers.ts';
import { furtherRows } from './passages.ts';

const batchRows = 20_000;

/**
 * How many terms the lexical index holds for each summary, by id. A reworded summary keeps its old count, and
 * one imported under a lower id has none: counts only choose the candidates, the scores use exact ones.
 */
export class WordCounts extends Table {
  readonly #counts = new PagedNumbers();
  /** The rows of calls, digests and first passages, and those above. */
  readonly #seen = [
    { last: 0, end: furtherRows },
    { last: furtherRows, end: Number.MAX_SAFE_INTEGER },
  ];

  /** The counts of all summaries, after reading those that are new. */
  all(): PagedNumbers {
    for (const seen of this.#seen) {
      for (let count = batchRows; count === batchRows; ) {
        const rows = this.#read(`id > ? AND id < ${seen.end} ORDER BY id LIMIT ${batchRows}`, seen.last);
        seen.last = rows.at(-1)?.id ?? seen.last;
        for (const { id, length } of rows) this.#counts.add(id, length);
        count = rows.length;
      }
    }
    return this.#counts;
  }

  /** The current counts of those of `ids` that the index holds, in any order. */
  exact(ids: readonly number[]): { id: number; length: number }[] {
    return this.#read('id IN (SELECT value FROM json_each(?))', JSON.stringify(ids));
  }

  #read(condition: string, value: string | number): { id: number; length: number }[] {
    const sql = `SELECT json_group_array(id) AS ids, CAST(coalesce(group_concat(sz, ''), '') AS BLOB) AS sizes
      FROM (SELECT id, sz FROM summaries_fts_docsize WHERE ${condition})`;
    const row = this.connection.get(sql, value) ?? {};
    const sizes = variableNumbers(blob(row, 'sizes'));
    // One number for each of the two columns.
    return list<number>(row, 'ids').map((id, at) => ({
      id,
      length: (sizes[2 * at] ?? 0) + (sizes[2 * at + 1] ?? 0),
    }));
  }
}
