import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, expect, test } from 'vitest';
import { indexText } from '#reading/terms';
import { eventAt, newStore, summarised, type TestStore } from '../../../../test/support/store/store.ts';
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
  return { ...own, ids, vocabulary: new Vocabulary(own.store) };
}

/** How often each row holds a word, by the texts that the index was given. */
function byTexts({ store }: TestStore, word: { term: string; prefix: boolean }): [number, number][] {
  const rows = store.connection.all('SELECT id, text, terms FROM summaries ORDER BY id');
  return rows.flatMap(({ id, text, terms }): [number, number][] => {
    const held = `${indexText(String(text))} ${indexText(String(terms))}`.split(' ');
    const times = held.filter((one) => (word.prefix ? one.startsWith(word.term) : one === word.term)).length;
    return times === 0 ? [] : [[Number(id), times]];
  });
}

test('the rows of a word and its count in each, after rows were added, reworded, removed and merged', () => {
  const texts = Array.from({ length: 300 }, (_, at) => `common ${'again '.repeat(at % 5)} abcde${at % 9}`);
  const own = storeOf(texts);
  const { store, ids, vocabulary } = own;
  const words = [
    { term: 'common', prefix: false },
    { term: 'again', prefix: false },
    { term: 'abcde', prefix: true },
    { term: 'abcde3', prefix: true },
    { term: 'nowhere', prefix: false },
    { term: '', prefix: false },
  ];
  const compare = () => {
    for (const word of words) {
      const { ids: found, times } = vocabulary.postings(word);
      expect([...found].map((id, at) => [id, times[at]])).toEqual(byTexts(own, word));
    }
    expect(vocabulary.documentFrequency(['common', 'nowhere'])).toEqual(
      new Map([['common', byTexts(own, { term: 'common', prefix: false }).length]]),
    );
  };
  compare();
  store.summaries.reword(ids[7] ?? 0, 'again common abcde3 common', 'again');
  for (const id of [ids[0], ids[150], ids[299]]) store.summaries.forget(id ?? 0);
  compare();
  store.connection.run("INSERT INTO summaries_fts (summaries_fts, rank) VALUES ('merge', 500)");
  summarised(store, [eventAt(400)], () => 'common again');
  compare();
});

test('an index that an operator writes otherwise is read all the same', () => {
  const { store, ids } = storeOf(['redis cache', 'redis cache']);
  const [first = 0, second = 0] = ids;
  store.connection.run("INSERT INTO summaries_fts (summaries_fts, rank) VALUES ('secure-delete', 1)");
  store.connection.run('DELETE FROM summaries WHERE id = ?', first);
  const reads = new SearchReads(store);
  const redis = [{ term: 'redis', prefix: false, documents: 1 }];
  expect(reads.lexical(redis, 5, null).map(({ id }) => id)).toEqual([second]);
  expect(reads.occurrences([first, second], redis)).toEqual([{ id: second, counts: [1], length: 4 }]);
});

test('a damaged index is reported as damaged', () => {
  const { store, file } = storeOf(['redis cache']);
  const other = new DatabaseSync(file, { defensive: false });
  other.exec("UPDATE summaries_fts_data SET block = X'00000900' WHERE id > 10");
  other.close();
  const reads = new SearchReads(store);
  const search = () => reads.lexical([{ term: 'redis', prefix: false, documents: 1 }], 5, null);
  expect(search).toThrow(/malformed|corrupt/);
});
