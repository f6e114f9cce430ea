import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventAt, newStore, summarised, type TestStore } from '../../../../test/support/store/store.ts';
import { detailsOf, timelineOf } from './details.ts';
import { indexLag } from './health-reads.ts';
import { furtherRows, notIndexed } from './passages.ts';
import { SearchReads } from './search-reads.ts';

let own: TestStore;
let reads: SearchReads;
beforeEach(() => {
  own = newStore();
  reads = new SearchReads(own.store);
});
afterEach(() => own.remove());

function message(at: number, text: string) {
  const said = { role: 'assistant', turnId: 't1', agentId: null } as const;
  return eventAt(at, { tool: 'Reply', input: {}, output: text, message: said });
}

const found = (word: string, kinds?: readonly ('call' | 'message' | 'session')[]) =>
  reads
    .lexical([{ term: word, prefix: false, documents: 1 }], 10, reads.matching({ kinds }))
    .map(({ id }) => id);
const rows = () =>
  own.store.connection.all('SELECT rowid AS id FROM summaries_fts').map(({ id }) => Number(id));
const paragraph = (word: string) => `${word} ${'and more of the same '.repeat(18)}.\n\n`;
const long = ['walrus', 'quokka', 'numbat'].map(paragraph).join('');

test('a message is found by any passage, once, and all its rows leave with it', () => {
  const { store } = own;
  const [call = 0, said = 0] = summarised(store, [eventAt(1), message(2, long)], () => 'in short');
  expect(['walrus', 'quokka', 'numbat', 'same'].map((word) => found(word))).toEqual([
    [said],
    [said],
    [said],
    [said],
  ]);
  expect(reads.rows([said])).toMatchObject([
    { kind: 'message', role: 'assistant', turnId: 't1', terms: long },
  ]);
  expect(rows().filter((row) => row > furtherRows).length).toBeGreaterThan(0);
  expect(indexLag(store)).toEqual({ missing: 0, surplus: 0 });
  const before = rows();
  store.summaries.renewIndex();
  expect(rows()).toEqual(before);
  store.summaries.forget(said);
  expect(rows()).toEqual([call]);
});

test('a message that only answers is no hit, and not missing in the index', () => {
  const { store } = own;
  const [yes = 0] = summarised(
    store,
    [message(1, 'Yes, go on.'), message(2, 'no, use sqlite')],
    () => 'said',
  );
  store.summaries.reword(yes, 'said', notIndexed);
  expect(rows()).toEqual([2]);
  expect(reads.places([1, 2])).toMatchObject([{ id: 2 }]);
  expect(indexLag(store)).toEqual({ missing: 0, surplus: 0 });
});

test('a digest is a hit under one id, which it keeps when it is rewritten; forgotten, it is found no more', () => {
  const { store } = own;
  const [call = 0] = summarised(store, [eventAt(1)], () => 'ran the mill');
  const digest = { sessionId: 's1', terms: '', model: 'builtin', ts: eventAt(1).ts };
  store.digests.save({ ...digest, text: 'goal: the walrus', lastSeq: 1 });
  const [id = 0] = found('walrus');
  expect(id).toBeGreaterThan(call);
  expect(store.digests.pin(id, true)).toBe(true);
  store.digests.save({ ...digest, text: 'goal: the quokka', lastSeq: 2 });
  expect([found('walrus'), found('quokka'), found('quokka', ['call'])]).toEqual([[], [id], []]);
  expect(detailsOf(store, [id, call])).toMatchObject([
    { id, kind: 'session', pinned: true },
    { kind: 'call' },
  ]);
  expect(timelineOf(store, id, 3)).toMatchObject({ before: [], summary: { id }, after: [{ id: call }] });
  expect(reads.places([id])).toMatchObject([{ id, kind: 'session', sessionId: 's1' }]);
  store.summaries.renewIndex();
  expect(found('quokka')).toEqual([id]);
  expect(indexLag(store)).toEqual({ missing: 0, surplus: 0 });
  expect(store.digests.forget(id)).toBe(true);
  expect([found('quokka'), detailsOf(store, [id]), rows()]).toEqual([[], [], [call]]);
  // The next summary does not take the number of a digest.
  expect(summarised(store, [eventAt(3)])).toEqual([id + 1]);
});
