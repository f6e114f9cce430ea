import { list, number, text } from '../row.ts';
import { Table } from '../tables/table.ts';
import { indexState } from './bm25.ts';

/** The rows that hold a word: ids in ascending order, and how often each holds it, both columns together. */
export interface Postings {
  readonly ids: Float64Array;
  readonly times: Uint32Array;
}

/** 12 bytes each. */
const keptRowsMax = 500_000;

/**
 * The terms of the lexical index and where they occur, by FTS5's own tables
 * (https://www.sqlite.org/fts5.html#the_fts5vocab_virtual_table_module).
 */
export class Vocabulary extends Table {
  readonly #kept = new Map<string, Postings>();
  #keptRows = 0;
  #keptState = '';

  constructor(owner: Pick<Table, 'connection'>) {
    super(owner);
    this.connection.exec(
      `CREATE VIRTUAL TABLE IF NOT EXISTS temp.summaries_terms USING fts5vocab('main', 'summaries_fts', 'row');
      CREATE VIRTUAL TABLE IF NOT EXISTS temp.summaries_places USING fts5vocab('main', 'summaries_fts', 'instance')`,
    );
  }

  /** In how many rows each of `terms` occurs; a term without rows is left out. FTS5 counts them row by row. */
  documentFrequency(terms: readonly string[]): Map<string, number> {
    const sql = 'SELECT term, doc FROM temp.summaries_terms WHERE term IN (SELECT value FROM json_each(?))';
    const rows = this.connection.all(sql, JSON.stringify(terms));
    return new Map(rows.map((row) => [text(row, 'term'), number(row, 'doc')]));
  }

  /** Kept until the index changes, since queries share their frequent words. `state`: of now, where it is known. */
  postings(
    word: { readonly term: string; readonly prefix: boolean },
    state = indexState(this.connection),
  ): Postings {
    if (state !== this.#keptState || this.#keptRows > keptRowsMax) {
      this.#kept.clear();
      this.#keptRows = 0;
      this.#keptState = state;
    }
    const key = `${word.term}${word.prefix ? '*' : ''}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const read = this.#read(word);
    this.#kept.set(key, read);
    this.#keptRows += read.ids.length;
    return read;
  }

  /** Takes 0.2 us for each occurrence. bm25() takes 0.6 us for each row, fetching the rows one by one takes longer still. */
  #read({ term, prefix }: { readonly term: string; readonly prefix: boolean }): Postings {
    const condition = prefix ? 'term >= ?1 AND term < ?1 || char(0x10ffff)' : 'term = ?1';
    const sql = `SELECT json_group_array(doc) AS docs FROM temp.summaries_places WHERE ${condition}`;
    const docs = list<number>(this.connection.get(sql, term) ?? {}, 'docs');
    // The occurrences of one term are in the order of their rows, those of several terms are not.
    return counted(prefix ? docs.sort((a, b) => a - b) : docs);
  }
}

/** `docs` has each id as often as the word occurs there. */
function counted(docs: readonly number[]): Postings {
  const ids = new Float64Array(docs.length);
  const times = new Uint32Array(docs.length);
  let count = 0;
  for (const id of docs) {
    if (count === 0 || ids[count - 1] !== id) ids[count++] = id;
    times[count - 1] = (times[count - 1] ?? 0) + 1;
  }
  return { ids: ids.subarray(0, count), times: times.subarray(0, count) };
}
