import fs from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encodeRecord } from '#capture/log';
import { payloadOf, type Store } from '#memory/store';
import { bodyOf, event, fill, TestStores, takeIn } from '../../../test/support/archive/stores.ts';
import { messageAt } from '../../../test/support/store/messages.ts';
import { forgetEverywhere } from './forget.ts';
import { exportLines } from './line.ts';
import { writeLines } from './whole-file.ts';

let stores: TestStores;
beforeEach(() => {
  stores = new TestStores();
});
afterEach(() => stores.remove());

const ask = messageAt(1, 'Why is the cache "cold"?\n\n- do not touch `main.ts`', { turnId: 't1' });
const answer = messageAt(2, 'Because nothing fills it. 😀', {
  ...{ role: 'assistant', turnId: 't1', agentId: 'a1', messageId: 'msg_0001' },
});
const columns = ({ connection }: Store) =>
  connection.all('SELECT id, kind, role, turn_id, tool, tool_use_id, payload_json FROM events ORDER BY seq');

test('a file with messages is imported and exported again byte for byte, columns included', async () => {
  const [from, to] = [stores.open(), stores.open()];
  fill(from, [event(1), ask, answer, event(2, { tool: 'Reply' })]);
  const [file, again] = [stores.file('a.ndjson'), stores.file('b.ndjson')];
  await writeLines(file, exportLines(from));
  expect(await takeIn(to, file)).toMatchObject({ events: 4, bad: 0, redacted: 0 });
  expect(columns(to)).toEqual(columns(from));
  expect(columns(to).map(({ kind }) => kind)).toEqual(['call', 'message', 'message', 'call']);
  await writeLines(again, exportLines(to));
  const body = (name: string) => fs.readFileSync(name, 'utf8').replace(/^.*\n/, '');
  expect(body(again)).toBe(body(file));
  expect(await takeIn(to, file)).toMatchObject({ events: 0, summaries: 0 });
});

test('messages are redacted on import like calls, in their text and in their ids', async () => {
  const secret = ['tangerine', 'submarine', '47'].join('-');
  const store = stores.open();
  const payload = payloadOf({
    ...ask,
    output: `use DB_PASSWORD=${secret} there`,
    message: { role: 'user', turnId: `DB_PASSWORD=${secret}`, agentId: null },
  });
  const { id, ts, sessionId, tool, client } = ask;
  const row = { id, ts, sessionId, tool, toolUseId: null, client, isError: false, status: 'raw' };
  const line = { type: 'event', ...row, attempts: 0, lastError: null, payload };
  const [head = ''] = exportLines(store);
  fs.writeFileSync(stores.file('a.ndjson'), `${head}\n${JSON.stringify(line)}\n`);
  expect(await takeIn(store, stores.file('a.ndjson'))).toMatchObject({ events: 1, bad: 0, redacted: 1 });
  const [stored] = columns(store);
  expect(JSON.stringify(stored)).not.toContain(secret);
  expect(stored).toMatchObject({ kind: 'message', turn_id: 'DB_PASSWORD=<redacted:env>' });
});

test('the file of a version before messages is imported, with its prompts', async () => {
  const store = stores.open();
  const prompt = {
    type: 'prompt',
    id: `pr_${'0'.repeat(24)}`,
    sessionId: 's1',
    ts: ask.ts,
    text: 'bake it, Blue#Horse7 lets you in',
  };
  const head = { format: 'memd-export', version: 1, kind: 'export', ts: ask.ts };
  fs.writeFileSync(
    stores.file('a.ndjson'),
    [head, prompt].map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  expect(await takeIn(store, stores.file('a.ndjson'))).toMatchObject({ prompts: 1, bad: 0 });
  expect(store.prompts.of('s1', 9).map(({ text }) => text)).toEqual([
    'bake it, <redacted:password> lets you in',
  ]);
});

test('a forgotten message leaves no byte in database and log, and cannot be stored again', async () => {
  const store = stores.open();
  fill(store, [ask, answer]);
  const folder = stores.file('workspace');
  fs.mkdirSync(folder);
  const log = `${folder}/wal.ndjson`;
  fs.writeFileSync(`${folder}/spool.ndjson`, encodeRecord(answer));
  fs.writeFileSync(log, '');
  expect(await forgetEverywhere(store, folder, 1)).toEqual({ kept: [] });
  expect(bodyOf(store).join('\n')).not.toContain('cache');
  expect(fs.readFileSync(`${folder}/spool.ndjson`, 'utf8')).toBe(encodeRecord(answer));
  expect(store.events.insert([ask, answer])).toEqual({ inserted: 0, duplicates: 2 });
});

test('a digest keeps its id and its pin, unless a memory has the id already', async () => {
  const [from, to, taken] = [stores.open(), stores.open(), stores.open()];
  fill(from, [ask, answer]);
  const { sessionId, ts } = ask;
  const digest = { sessionId, text: 'About the cache.', terms: '', model: 'builtin', ts, lastSeq: 2 };
  from.digests.save(digest);
  const id = from.digests.kept(sessionId)?.id ?? 0;
  expect(from.digests.pin(id, true)).toBe(true);
  const file = stores.file('a.ndjson');
  await writeLines(file, exportLines(from));
  await takeIn(to, file);
  expect(to.digests.kept(sessionId)).toEqual({ id, pinned: true });
  expect(to.digests.hits([id])).toMatchObject([{ text: 'About the cache.', pinned: true }]);
  // The sequence goes on after it.
  fill(to, [event(7)]);
  expect(to.summaries.get([id + 1])).toHaveLength(1);
  fill(taken, [event(4), event(5), event(6)]);
  await takeIn(taken, file);
  expect(taken.digests.kept(sessionId)).toMatchObject({ pinned: true });
  expect(taken.digests.hits([id])).toEqual([]);
});

test('a pinned digest stays pinned, and without its words, when a message of its session is forgotten', async () => {
  const store = stores.open();
  fill(store, [ask, answer]);
  const { sessionId, ts } = ask;
  store.digests.save({ sessionId, text: 'About the cache.', terms: '', model: 'builtin', ts, lastSeq: 2 });
  const id = store.digests.kept(sessionId)?.id ?? 0;
  store.digests.pin(id, true);
  const folder = stores.file('workspace');
  fs.mkdirSync(folder);
  fs.writeFileSync(`${folder}/wal.ndjson`, '');
  await forgetEverywhere(store, folder, 1);
  expect(store.digests.kept(sessionId)).toEqual({ id, pinned: true });
  expect([store.digests.hits([id]), bodyOf(store).join('\n').includes('cache')]).toEqual([[], false]);
  expect(store.digests.stale(99, 1)).toMatchObject([{ sessionId }]);
});
