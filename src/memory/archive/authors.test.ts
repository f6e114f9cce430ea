import fs from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bodyOf, event, fill, TestStores, takeIn } from '../../../test/support/archive/stores.ts';
import { type Store, SyncAuthors, takeSegment } from '../store/index.ts';
import { resummariseAlone } from '../summarise/index.ts';
import { exportLines, rowOf } from './line.ts';
import { writeLines } from './whole-file.ts';

const [me, her] = ['me@example.com', 'mallory@example.com'];
const device = 'd'.repeat(32);

let stores: TestStores;
beforeEach(() => {
  stores = new TestStores();
});
afterEach(() => stores.remove());

/** A store with own memories of sessions s0 to s2, and one of hers in s1, which she pinned. */
function shared(): Store {
  const [store, theirs] = [stores.open(), stores.open()];
  fill(store, [event(0), event(1), event(2)]);
  fill(theirs, [event(7, { output: 'hers' }), event(10)]);
  const rows = [...exportLines(theirs)].slice(1).flatMap((line) => {
    const read = rowOf(line);
    return 'row' in read && read.row.type !== 'forgotten' ? [read.row] : [];
  });
  const pin = { type: 'pin', key: 'e:ev_7', pinned: true, ms: 5 } as const;
  const origin = { device, author: her, standing: 'member' } as const;
  takeSegment(store.connection, { oid: 'o', origin, rows: [...rows, pin] }, resummariseAlone);
  return store;
}

async function copied(from: Store, more: Parameters<typeof takeIn>[2], author?: string): Promise<Store> {
  const [to, file] = [stores.open(), stores.file('copy.ndjson')];
  await writeLines(file, exportLines(from, author));
  await takeIn(to, file, more);
  return to;
}

const recorded = ({ connection }: Store): string[] =>
  connection
    .all('SELECT id, session_id, author, device, is_foreign FROM events ORDER BY id')
    .map((row) => Object.values(row).join(' '));

const shownAuthors = (store: Store): (string | undefined)[] =>
  store.summaries.recent(9, null, {}).map(({ author }) => author);

test('what another author recorded stays theirs through an export, twice', async () => {
  const from = shared();
  const head = JSON.parse([...exportLines(from, me)][0] ?? '');
  expect(head).toMatchObject({ version: 2, author: me });
  const to = await copied(from, { author: me }, me);
  expect(recorded(to)).toEqual(recorded(from));
  expect(recorded(to)).toContain(`ev_7 s1@dddddddd ${her} ${device} 1`);
  expect(shownAuthors(to)).toEqual(shownAuthors(from));
  const pinned = 'SELECT event_id, pinned, pinned_by FROM summaries WHERE pinned <> 0';
  expect(to.connection.all(pinned)).toEqual([{ event_id: 'ev_7', pinned: 1, pinned_by: her }]);
  expect(bodyOf(await copied(to, { author: me }, me))).toEqual(bodyOf(from));
});

test('each line of theirs names them', () => {
  const lines = bodyOf(shared()).map((line) => JSON.parse(line));
  const theirs = lines.filter(({ id, eventId = id }) => /^ev_(?:7|10)$/.test(eventId));
  expect(theirs.length).toBeGreaterThan(2);
  expect(theirs.every(({ author }) => author === her)).toBe(true);
  expect(lines.filter(({ author }) => author === undefined).length).toBeGreaterThan(2);
});

test('the file of another author is theirs, unless the user says otherwise', async () => {
  const from = stores.open();
  fill(from, [event(1), event(4)]);
  from.connection.exec('UPDATE summaries SET pinned = 1');
  const to = stores.open();
  fill(to, [event(13)]);
  const file = stores.file('hers.ndjson');
  await writeLines(file, exportLines(from, her));
  expect(await takeIn(to, file, { author: me })).toMatchObject({ author: her, events: 2 });
  // Her session with the id of an own one stays apart, and her pins are hers.
  expect(recorded(to)).toContain(`ev_1 s1@${her} ${her}  1`);
  expect(to.connection.all('SELECT DISTINCT pinned_by FROM summaries WHERE pinned <> 0')).toEqual([
    { pinned_by: her },
  ]);
  expect(await takeIn(to, file, { author: me, mine: true })).toMatchObject({ author: null, events: 2 });
  expect(shownAuthors(to)).toEqual([undefined, undefined, undefined]);
  expect(recorded(await copied(from, { author: her }, her)).every((row) => row.endsWith('0'))).toBe(true);
  // Nobody can say who this is.
  expect(recorded(await copied(from, {}, her)).every((row) => row.endsWith('0'))).toBe(true);
});

test('an older file, which names nobody, takes nothing from another author', async () => {
  const store = shared();
  const file = stores.file('old.ndjson');
  const lines = [...exportLines(store)].map((line) => {
    const { author: _, device: __, pinnedBy: ___, ...old } = JSON.parse(line);
    return JSON.stringify({ ...old, ...('format' in old && { version: 1 }) });
  });
  fs.writeFileSync(file, `${lines.join('\n')}\n`);
  const before = recorded(store);
  expect(await takeIn(store, file, { author: me })).toMatchObject({ bad: 0, events: 0 });
  expect(recorded(store)).toEqual(before);
  const fresh = stores.open();
  expect(await takeIn(fresh, file, { author: me })).toMatchObject({ bad: 0, events: 5, author: null });
});

test('an export brings nothing of an author who was refused', async () => {
  const to = stores.open();
  new SyncAuthors(to.connection).set({ type: 'author', author: her, isRefused: true, ms: 1 }, true);
  const file = stores.file('all.ndjson');
  await writeLines(file, exportLines(shared(), me));
  await takeIn(to, file, { author: me });
  expect(recorded(to).join('\n')).not.toContain(her);
  await takeIn(to, file, { author: me, forgotten: true });
  expect(recorded(to).join('\n')).toContain(her);
});
