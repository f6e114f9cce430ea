import { lexicalScoredMax, lexicalVisitedMax, lexicalVisitedShare } from '../limits.ts';
import { Bm25, type Bm25Word } from './bm25.ts';
import type { Connection } from './connection.ts';
import { number, text } from './row.ts';
import { WordCounts } from './word-counts.ts';

/** A term to ask the index for. */
export interface AskedWord {
  readonly term: string;
  /** Whether every term that begins with it counts. */
  readonly prefix: boolean;
  /** In how many summaries it stands. */
  readonly documents: number;
}

/**
 * BM25 over the lexical index for queries that match very many summaries. FTS5's own bm25() takes 0.5 us for each row that
 * matches, and frequent words match half of all. To read the rows of a word from the index takes 0.17 us each. So the rows of
 * the rarest words are read; the best by those words are then scored for all words from what the index holds of
 * them, by FTS5's formula. What has none but frequent words can be missed.
 */
export class LexicalReads {
  readonly #connection: Connection;
  readonly #counts: WordCounts;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#counts = new WordCounts(connection);
    connection.exec(
      "CREATE VIRTUAL TABLE IF NOT EXISTS temp.summaries_instances USING fts5vocab('main', 'summaries_fts', 'instance')",
    );
  }

  /** Whether so many rows match that `best` is the cheaper way. */
  isBroad(words: readonly AskedWord[]): boolean {
    return words.reduce((sum, { documents }) => sum + documents, 0) > lexicalScoredMax;
  }

  /** The `limit` best for any of `words`, best first, of equals the higher id first. */
  best(words: readonly AskedWord[], limit: number): { id: number; score: number }[] {
    this.#counts.follow();
    const bm25 = Bm25.of(this.#connection);
    const rarest = [...words].sort(
      (a, b) => Number(b.prefix) - Number(a.prefix) || a.documents - b.documents,
    );
    const visitedMax = Math.max(lexicalVisitedMax, bm25.rows * lexicalVisitedShare);
    const scores = this.#counts.zeros();
    let visited = 0;
    const scored = rarest.map((word): Bm25Word => {
      const isVisited = word.prefix || visited === 0 || visited + word.documents <= visitedMax;
      if (!isVisited) return bm25.word(word, word.documents);
      visited += word.documents;
      return this.#visit(word, bm25, scores);
    });
    const likely = scores.highest(limit * 2);
    return this.#indexed(likely)
      .map(({ id, text: indexed }) => ({ id, score: bm25.score(indexed, scored) }))
      .sort((a, b) => b.score - a.score || b.id - a.id)
      .slice(0, limit);
  }

  /** Adds a word's share to the scores of the summaries that have it. */
  #visit(asked: AskedWord, bm25: Bm25, scores: ReturnType<WordCounts['zeros']>): Bm25Word {
    const ids = this.#rowsWith(asked);
    let documents = 0;
    for (let at = 0; at < ids.length; at++) if (ids[at] !== ids[at - 1]) documents += 1;
    const word = bm25.word(asked, documents);
    let from = 0;
    for (let at = 1; at <= ids.length; at++) {
      if (ids[at] === ids[from]) continue;
      const id = ids[from] ?? 0;
      scores.add(id, bm25.share(word, at - from, this.#counts.of(id)));
      from = at;
    }
    return word;
  }

  /** The id of every place where a term stands, those of one summary together. */
  #rowsWith({ term, prefix }: AskedWord): number[] {
    const sql = prefix
      ? `SELECT json_group_array(rowid) AS ids FROM summaries_fts WHERE summaries_fts MATCH '"' || ? || '" *'`
      : 'SELECT json_group_array(doc) AS ids FROM temp.summaries_instances WHERE term = ?';
    const value = prefix ? term.replaceAll('"', '""') : term;
    return JSON.parse(text(this.#connection.get(sql, value) ?? {}, 'ids')) as number[];
  }

  #indexed(ids: readonly number[]): { id: number; text: string }[] {
    const sql = `SELECT id, c0 || ' ' || c1 AS text FROM summaries_fts_content
      WHERE id IN (SELECT value FROM json_each(?))`;
    return this.#connection
      .all(sql, JSON.stringify(ids))
      .map((row) => ({ id: number(row, 'id'), text: text(row, 'text') }));
  }
}
