import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { runs } from '../../../../test/support/runs.ts';
import { eventAt, newStore, summarised, type TestStore } from '../../../../test/support/store/store.ts';
import { LexicalReads } from './lexical-reads.ts';
import { SearchReads } from './search-reads.ts';
import { Vocabulary } from './vocabulary.ts';

let opened: TestStore[] = [];
afterEach(() => {
  for (const one of opened) one.remove();
  opened = [];
});

function storeOf(texts: readonly string[]) {
  const own = newStore();
  opened.push(own);
  const events = texts.map((_, at) => eventAt(at + 1));
  const ids = summarised(own.store, events, (at) => texts[at] ?? '');
  return { ...own, ids, reads: new SearchReads(own.store) };
}

const word = fc.constantFrom(
  'cache',
  'redis',
  'socket',
  'src/memory/store/row.ts',
  'queue',
  'abc123',
  'abc124',
  'token',
);
const sentence = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '));
const asked = fc.uniqueArray(
  fc.record({
    term: fc.constantFrom('cach', 'redis', 'socket', 'row.ts', 'queu', 'abc12', 'token', 'nowhere'),
    prefix: fc.boolean(),
  }),
  { selector: ({ term }) => term, minLength: 1, maxLength: 5 },
);

const byFts5 = `SELECT rowid AS id, -bm25(summaries_fts, 1, 1) AS score FROM summaries_fts
  WHERE summaries_fts MATCH ? ORDER BY rank, rowid DESC LIMIT 20`;

test("scores are FTS5's, also after summaries were added and rewritten", () => {
  fc.assert(
    fc.property(
      fc.array(sentence, { minLength: 1, maxLength: 30 }),
      sentence,
      asked,
      (texts, other, terms) => {
        const { store, ids, reads } = storeOf(texts);
        const lexical = new LexicalReads(store, new Vocabulary(store));
        const compared = () => {
          const frequency = reads.documentFrequency(terms.map(({ term }) => term));
          const words = terms.map((one) => ({ ...one, documents: frequency.get(one.term) ?? 0 }));
          const best = lexical.best(words, 20);
          const match = terms.map(({ term, prefix }) => `"${term}"${prefix ? '*' : ''}`).join(' OR ');
          const expected = store.connection.all(byFts5, match);
          expect(best.map(({ score }) => score.toFixed(9))).toEqual(
            expected.map(({ score }) => Number(score).toFixed(9)),
          );
          expect(reads.lexical(words, 20, null).map(({ id, score }) => ({ id, score }))).toEqual(best);
        };
        compared();
        store.summaries.reword(ids[0] ?? 0, other, '');
        summarised(store, [eventAt(900)], () => other);
        compared();
      },
    ),
    { numRuns: runs(10) },
  );
});

test('words that are counted stay counted until the index changes', () => {
  const { store, reads } = storeOf(['redis cache', 'redis queue']);
  expect([...reads.documentFrequency(['redis', 'nowhere'])]).toEqual([['redis', 2]]);
  expect([...reads.documentFrequency(['redis', 'cach'])]).toEqual([
    ['redis', 2],
    ['cach', 1],
  ]);
  const [third = 0] = summarised(store, [eventAt(50)], () => 'redis again');
  expect(reads.documentFrequency(['redis']).get('redis')).toBe(3);
  store.summaries.forget(third);
  expect(reads.documentFrequency(['redis']).get('redis')).toBe(2);
});

test('of a query that very many summaries match, the rows of the rarest words are read', () => {
  const count = 1_000;
  const texts = Array.from(
    { length: count },
    (_, at) => `socket token ${at % 7 === 0 ? 'queue '.repeat(at % 5) : ''}`,
  );
  texts[17] = 'socket redis';
  texts[18] = 'redis cache';
  const { reads, store } = storeOf(texts);
  const match = '"socket" OR "token" OR "redis" OR "queu"';
  const words = ['socket', 'token', 'redis', 'queu'].map((term) => ({
    term,
    prefix: false,
    documents: reads.documentFrequency([term]).get(term) ?? 0,
  }));
  const expected = store.connection.all(byFts5, match);
  const some = new LexicalReads(store, new Vocabulary(store), { visitedMax: 300 }).best(words, 20);
  for (const found of [reads.lexical(words, 20, null), some]) {
    expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    for (const [at, { score }] of found.entries()) expect(score).toBeCloseTo(Number(expected[at]?.score), 9);
  }
  const both = words.filter(({ term }) => term === 'socket' || term === 'redis');
  expect(reads.lexical(both, 1, null).map(({ id }) => id)).toEqual([18]);
  expect(reads.lexical(words, 20, new Set())).toEqual([]);
});

test('vectors are read in batches, and those of other embedders are kept apart', () => {
  const { store, ids, reads } = storeOf(['one', 'two', 'three']);
  const embeddingOf = (summaryId: number, words: string, bytes: number[]) => {
    return [{ summaryId, text: words, dim: 3, vector: Uint8Array.from(bytes) }];
  };
  const [one = 0, two = 0, three = 0] = ids;
  // Bytes that are no text in any encoding, and zeros, come back as they are.
  store.embeddings.save('a', 1, embeddingOf(one, 'one', [0, 255, 0, 254]));
  store.embeddings.save('b', 1, embeddingOf(two, 'two', [1, 2, 3, 4]));
  store.embeddings.save('a', 1, embeddingOf(three, 'three', [195, 40, 0, 0]));
  const rows = reads.embeddings.rowsAfter(0, 'a', 1, 10);
  expect(rows.summaryIds).toEqual([one, two, three]);
  expect(rows.dims).toEqual([3, 3, 3]);
  expect(rows.byteLengths).toEqual([4, -1, 4]);
  expect([...rows.vectors]).toEqual([0, 255, 0, 254, 195, 40, 0, 0]);
  expect(reads.embeddings.rowsAfter(rows.lastSeq, 'a', 1, 10)).toEqual({
    lastSeq: 0,
    summaryIds: [],
    dims: [],
    byteLengths: [],
    vectors: new Uint8Array(),
  });
  expect(reads.embeddings.countAll()).toBe(3);
  expect(reads.sessionsOf([two, 99, one])).toEqual(['s1', '', 's1']);
});
