import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openStore, type Store } from '#memory/store';
import { type BuiltReader, buildReader, remember } from '../../../../test/support/bridge/bridge.ts';
import { until } from '../../../../test/support/until.ts';
import { bridgeReaderQueueMax, openReader, type Reader, type ReaderOptions } from './reader.ts';

let built: BuiltReader;
let folder: string;
let database: string;
let mortal: URL;
let store: Store;
const opened: Reader[] = [];

beforeAll(async () => {
  built = await buildReader();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-reader-'));
  database = path.join(folder, 'db.sqlite');
  store = openStore(database);
  remember(store, 0, 3);
  // The same thread, and one id that ends it as a broken invariant would.
  const guard = `require('node:worker_threads').parentPort.on('message', (message) => {
    if (message.args && message.args.id === 666) process.exit(3);
  });\n`;
  const file = path.join(path.dirname(new URL(built.script).pathname), 'mortal.cjs');
  fs.writeFileSync(file, guard + fs.readFileSync(built.script, 'utf8'));
  mortal = pathToFileURL(file);
});
afterEach(async () => {
  for (const reader of opened.splice(0)) await reader.close();
});
afterAll(() => {
  fs.rmSync(folder, { recursive: true, force: true });
  store.close();
  built.remove();
});

function open(more: Partial<ReaderOptions> = {}): Reader {
  const reader = openReader({ script: built.script, database, ...more });
  opened.push(reader);
  return reader;
}

const countsOf = (reader: Reader) => reader.call('counts');

test('the thread starts with the first read and ends some time after the last', async () => {
  const reader = open({ idleMs: 20 });
  expect(reader.isRunning).toBe(false);
  expect(await countsOf(reader)).toMatchObject({ events: 3 });
  await until('the end of the idle thread', () => !reader.isRunning);
  expect(await countsOf(reader)).toMatchObject({ events: 3 });
});

test('counts follow what others write', async () => {
  const reader = open();
  const { events } = await countsOf(reader);
  remember(store, 100, 2);
  expect(await countsOf(reader)).toMatchObject({ events: events + 2 });
});

test('a thread that dies costs the read that it works on, and the next read gets a new one', async () => {
  const reader = open({ script: mortal });
  const lost = await Promise.allSettled([reader.call('summary', { id: 666, state: null }), countsOf(reader)]);
  expect(lost.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(await countsOf(reader)).toMatchObject({ summaries: expect.any(Number) });
});

test('more reads than may wait are refused', async () => {
  const reader = open();
  const reads = Array.from({ length: bridgeReaderQueueMax + 2 }, () => reader.call('tools'));
  const settled = await Promise.allSettled(reads);
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(bridgeReaderQueueMax + 1);
  expect(settled.at(-1)).toMatchObject({ reason: { code: 'busy' } });
});

test('refuses without a database, and answers when one exists later', async () => {
  const late = path.join(folder, 'late.sqlite');
  const reader = open({ database: late });
  await expect(countsOf(reader)).rejects.toMatchObject({ code: 'unavailable' });
  openStore(late).close();
  expect(await countsOf(reader)).toMatchObject({ events: 0 });
});

test('a damaged database is refused as one, with what to do', async () => {
  const damaged = path.join(folder, 'damaged.sqlite');
  fs.writeFileSync(damaged, Buffer.alloc(8_192, 'x'));
  await expect(countsOf(open({ database: damaged }))).rejects.toMatchObject({
    code: expect.stringMatching(/unavailable|bad_database/),
    message: expect.stringContaining('memd'),
  });
});

test('what is closed reads no more', async () => {
  const reader = open();
  const under = reader.call('tools');
  await Promise.all([expect(under).rejects.toMatchObject({ code: 'unavailable' }), reader.close()]);
  await expect(reader.call('tools')).rejects.toMatchObject({ code: 'unavailable' });
});
