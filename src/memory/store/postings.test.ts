import { DatabaseSync } from '@photostructure/sqlite';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { eventAt, newStore, summarised, type TestStore } from '../../../test/support/store/store.ts';
import { readPostings } from './postings.ts';
import { SearchReads } from './search-reads.ts';

const redis = [{ term: 'redis', prefix: false, documents: 1 }];

let opened: TestStore[] = [];
afterEach(() => {
  for (const one of opened) one.remove();
  opened = [];
});

function openedStore(): TestStore {
  const own = newStore();
  opened.push(own);
  own.store.connection.exec(
    "CREATE VIRTUAL TABLE temp.instances USING fts5vocab('main', 'summaries_fts', 'instance')",
  );
  return own;
}

/** Every place of a term, as FTS5 tells it: ids with how often it stands there. */
function byFts5({ store }: TestStore, term: string): [unknown, unknown][] {
  const sql = 'SELECT doc, count(*) AS times FROM temp.instances WHERE term = ? GROUP BY doc ORDER BY doc';
  return store.connection.all(sql, term).map(({ doc, times }) => [doc, times]);
}

function byPages({ store }: TestStore, terms: readonly string[]) {
  const read = readPostings(store.connection, terms);
  return terms.map((term) => {
    const { ids, times } = read?.get(term) ?? { ids: [], times: [] };
    return [...ids].map((id, at) => [id, times[at]]);
  });
}

const words = ['alpha', 'alphabet', 'alp', 'beta', 'zulu', 'näive', 'abcde01', 'src/memory/store/row.ts'];
const sentence = fc
  .array(fc.constantFrom(...words, 'filler'), { minLength: 1, maxLength: 300 })
  .map((some) => some.join(' '));
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('add' as const), texts: fc.array(sentence, { maxLength: 8 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reword' as const), at: fc.nat(), text: sentence }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), at: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('merge' as const), pages: fc.integer({ min: -20, max: 20 }) }),
  },
);

test('the rows of a term are those FTS5 tells of, whatever was added, worded anew, removed and merged', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 14 }), fc.constantFrom(64, 200, 4_050), (steps, pageBytes) => {
      const own = openedStore();
      const { connection, summaries } = own.store;
      const set = 'INSERT INTO summaries_fts (summaries_fts, rank) VALUES (?, ?)';
      connection.run(set, 'pgsz', pageBytes);
      const ids: number[] = [];
      let events = 0;
      const sought = [...words.map((word) => word.replace('ä', 'a')), 'näive', 'filler', 'nowhere', ''];
      const vocabulary = () =>
        connection.all('SELECT DISTINCT term FROM temp.instances').map(({ term }) => String(term));
      for (const one of steps) {
        if (one.kind === 'add')
          ids.push(
            ...summarised(
              own.store,
              one.texts.map(() => eventAt(++events)),
              (at) => one.texts[at] ?? '',
            ),
          );
        else if (one.kind === 'merge') connection.run(set, 'merge', one.pages);
        else if (one.kind === 'reword' && ids.length > 0)
          summaries.reword(ids[one.at % ids.length] ?? 0, one.text, 'more terms');
        else if (one.kind === 'delete' && ids.length > 0)
          connection.run('DELETE FROM summaries WHERE id = ?', ids.splice(one.at % ids.length, 1)[0] ?? 0);
        const terms = [...new Set([...sought, ...vocabulary()])];
        expect(byPages(own, terms)).toEqual(terms.map((term) => byFts5(own, term)));
      }
    }),
    { numRuns: runs(10) },
  );
});

test('a list that goes on over many pages is read whole', () => {
  const own = openedStore();
  const texts = Array.from({ length: 3_000 }, (_, at) => `common ${'again '.repeat(at % 5)} word${at}`);
  summarised(
    own.store,
    texts.map((_, at) => eventAt(at + 1)),
    (at) => texts[at] ?? '',
  );
  const terms = ['common', 'again', 'word0', 'word2999'];
  expect(byPages(own, terms)).toEqual(terms.map((term) => byFts5(own, term)));
});

test('an index that is written otherwise is left to FTS5', () => {
  const own = openedStore();
  const [first = 0, second = 0] = summarised(own.store, [eventAt(1), eventAt(2)], () => 'redis cache');
  const { connection } = own.store;
  connection.run("INSERT INTO summaries_fts (summaries_fts, rank) VALUES ('secure-delete', 1)");
  connection.run('DELETE FROM summaries WHERE id = ?', first);
  expect(readPostings(connection, ['redis'])).toBeNull();
  const reads = new SearchReads(own.store);
  expect(reads.lexical(redis, 5, {}).map(({ id }) => id)).toEqual([second]);
  expect(reads.occurrences([first, second], redis)).toEqual([{ id: second, counts: [1], length: 4 }]);
});

test('pages that are cut off leave it to FTS5 to say what is wrong', () => {
  const own = openedStore();
  summarised(own.store, [eventAt(1)], () => 'redis cache');
  const other = new DatabaseSync(own.file, { defensive: false });
  other.exec("UPDATE summaries_fts_data SET block = X'00000900' WHERE id > 10");
  other.close();
  expect(() => readPostings(own.store.connection, ['redis'])).toThrow(RangeError);
  const reads = new SearchReads(own.store);
  expect(() => reads.lexical(redis, 5, {})).toThrow(/malformed|corrupt/);
});
