import { afterEach, expect, test } from 'vitest';
import { eventAt, newStore, summarised, type TestStore } from '../../../../test/support/store/store.ts';
import { openStore } from '../store.ts';
import { SearchReads } from './search-reads.ts';

let opened: TestStore[] = [];
afterEach(() => {
  for (const one of opened) one.remove();
  opened = [];
});

test('places follow pins and removals, by this connection and by another', () => {
  const own = newStore();
  opened.push(own);
  const { store, file } = own;
  const events = [eventAt(1), eventAt(2, { tool: 'Edit', sessionId: 's2', input: { file_path: 'mill.ts' } })];
  const [first = 0, second = 0] = summarised(store, events);
  const reads = new SearchReads(store);
  const bash = {
    id: first,
    ts: eventAt(1).ts,
    tool: 'Bash',
    sessionId: 's1',
    pinned: false,
    kind: 'call',
    ms: Date.parse(eventAt(1).ts),
    alike: 'Bash\ndid 0',
    isBrief: true,
  };
  const edit = {
    id: second,
    ts: eventAt(2).ts,
    tool: 'Edit',
    sessionId: 's2',
    pinned: false,
    kind: 'call',
    ms: Date.parse(eventAt(2).ts),
    alike: 'Edit\ndid 1',
    isBrief: true,
    file: 'mill.ts',
  };
  expect(reads.places([first, second, 99])).toEqual([bash, edit]);
  store.summaries.pin(first, true);
  expect(reads.places([second, first])).toEqual([edit, { ...bash, pinned: true, alike: null }]);
  const other = openStore(file);
  other.summaries.pin(second, true);
  expect(reads.places([second])).toEqual([{ ...edit, pinned: true, alike: null }]);
  other.summaries.forget(second);
  other.close();
  expect(reads.places([first, second])).toEqual([{ ...bash, pinned: true, alike: null }]);
});
