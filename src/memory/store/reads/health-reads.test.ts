import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventAt, newStore, summarised, type TestStore } from '../../../../test/support/store/store.ts';
import { indexLag } from './health-reads.ts';

let made: TestStore;
beforeEach(() => {
  made = newStore();
  summarised(made.store, [eventAt(1), eventAt(2), eventAt(3)]);
});
afterEach(() => made.remove());

test('an index that has every memory and nothing else does not lag', () => {
  expect(indexLag(made.store)).toEqual({ missing: 0, surplus: 0 });
});

test('missing and surplus entries are counted, and a rebuild corrects both', () => {
  const { connection } = made.store;
  connection.exec('DELETE FROM summaries_fts WHERE rowid = 2');
  connection.exec("INSERT INTO summaries_fts (rowid, text, terms) VALUES (99, 'of none', '')");
  expect(indexLag(made.store)).toEqual({ missing: 1, surplus: 1 });
  expect(made.store.summaries.renewIndex()).toBe(3);
  expect(indexLag(made.store)).toEqual({ missing: 0, surplus: 0 });
  expect(connection.all("SELECT rowid FROM summaries_fts WHERE summaries_fts MATCH 'did'")).toHaveLength(3);
});
