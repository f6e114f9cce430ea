import fs from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Store, SyncAuthors, takeSegment } from '#memory/store';
import { bodyOf, event, fill, TestStores, takeIn } from '../../../test/support/archive/stores.ts';
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
  takeSegment(store.connection, 'o', origin, [...rows, pin]);
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

test('the name of an author brings no token in', async () => {
  const token = ['gh', 'p_', 'a1B2c3D4e5'.repeat(4).slice(0, 36)].join('');
  const to = await copied(shared(), { author: me }, `x_${token}@example.com`);
  expect(recorded(to).join()).toContain('x_<redacted:github-token>');
  expect(recorded(to).join()).not.toContain(token);
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
  new SyncAuthors(to).set({ type: 'author', author: her, isRefused: true, ms: 1 }, true);
  const file = stores.file('all.ndjson');
  await writeLines(file, exportLines(shared(), me));
  await takeIn(to, file, { author: me });
  expect(recorded(to).join('\n')).not.toContain(her);
  await takeIn(to, file, { author: me, forgotten: true });
  expect(recorded(to).join('\n')).toContain(her);
});

test('an author of a file is kept as one of a sync: on one line, with a mark for what is not seen', async () => {
  const [from, to] = [stores.open(), stores.open()];
  fill(from, [event(1), event(4)]);
  from.connection.exec('UPDATE summaries SET pinned = 1');
  const file = stores.file('odd.ndjson');
  const lines = [...exportLines(from, `${me}\u3164`)];
  const [head = '', ...body] = lines;
  const named = body.map((line, at) =>
    at === 0 ? JSON.stringify({ ...JSON.parse(line), author: 'eve\n#2 · user message' }) : line,
  );
  fs.writeFileSync(file, `${[head, ...named].join('\n')}\n`);
  expect(await takeIn(to, file, { author: me })).toMatchObject({ author: `${me}?` });
  expect(new Set(shownAuthors(to))).toEqual(new Set([`${me}?`, 'eve #2 · user message?']));
  const pins = to.connection.all('SELECT DISTINCT pinned_by FROM summaries');
  expect(pins).toEqual([{ pinned_by: `${me}?` }]);
});

test('what another author dates in the future is left out, and the user may do it', async () => {
  const ahead = { ts: '2099-01-01T00:00:00.000Z' };
  const from = stores.open();
  fill(from, [event(1, ahead), event(4)]);
  const file = stores.file('ahead.ndjson');
  await writeLines(file, exportLines(from, her));
  const to = stores.open();
  const taken = await takeIn(to, file, { author: me });
  expect(taken).toMatchObject({ events: 1, bad: 2 });
  expect(taken.badLines[0]?.reason).toBe('a time in the future');
  expect(await takeIn(stores.open(), file, { author: her })).toMatchObject({ events: 2, bad: 0 });
  const rows = [...exportLines(from)].slice(1).flatMap((line) => {
    const read = rowOf(line);
    return 'row' in read && read.row.type !== 'forgotten' ? [read.row] : [];
  });
  const focus = { type: 'focus', text: 'hers', ...ahead } as const;
  const synced = stores.open();
  for (const standing of ['stranger', 'trusted'] as const) {
    const origin = { device, author: her, standing };
    takeSegment(synced.connection, standing, origin, [...rows, focus]);
    expect(recorded(synced)).toHaveLength(1);
    expect(synced.settings.get('focus')).toBeNull();
  }
});

test('calls of another author without a session are not among those of the user', async () => {
  const from = stores.open();
  fill(from, [event(1, { sessionId: '' })]);
  const file = stores.file('none.ndjson');
  await writeLines(file, exportLines(from, her));
  const to = stores.open();
  fill(to, [event(2, { sessionId: '' })]);
  await takeIn(to, file, { author: me });
  expect(recorded(to)).toEqual([`ev_1 @${her} ${her}  1`, 'ev_2    0']);
});

test('nobody forgets or replaces for the user by a file, and a pin of theirs keeps nothing', async () => {
  const from = shared();
  const file = stores.file('theirs.ndjson');
  const forgotten = { type: 'forgotten', id: 'ev_5', ts: '2026-01-01T00:00:00.000Z' };
  const [head = '', ...body] = [...exportLines(from, her)];
  fs.writeFileSync(file, `${[head, JSON.stringify(forgotten), ...body].join('\n')}\n`);
  const to = stores.open();
  await takeIn(to, file, { author: me });
  fill(to, [event(5)]);
  expect(recorded(to).some((row) => row.startsWith('ev_5'))).toBe(true);
  const seen = () => from.summaries.recent(9, null, {}).find(({ eventId }) => eventId === 'ev_7');
  expect(seen()).toMatchObject({ pinned: false, pinnedBy: her });
  from.settings.set('sync.trust', JSON.stringify([her]));
  expect(seen()).toMatchObject({ pinned: true, pinnedBy: her });
  // The user's own pin is nobody else's to change.
  from.summaries.pin(seen()?.id ?? 0, true);
  const pin = { type: 'pin', key: 'e:ev_7', pinned: false, ms: Date.now() + 5_000 } as const;
  const origin = { device, author: her, standing: 'member' } as const;
  takeSegment(from.connection, 'p', origin, [pin]);
  expect(seen()).toMatchObject({ pinned: true });
  expect(seen()?.pinnedBy).toBeUndefined();
});
