import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { identify, leftOutMark, type Observation } from '#core/event';
import { ofSecondRelease } from '../../../../test/support/store/released.ts';
import { openStore, type Store } from '../store.ts';

let folder: string;
let store: Store;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-incomplete-'));
  store = openStore(path.join(folder, 'db.sqlite'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
  store.close();
});

const call = (over: Partial<Observation>): Observation => ({
  ...{ tool: 'Bash', input: { command: 'make' }, output: 'made', sessionId: 's', toolUseId: null },
  ...{ ts: '2026-01-01T12:00:00.000Z', client: 'gemini-cli', isError: false, cwd: null },
  ...over,
});
const reply = (turnId: string | null, output: string, ts = '2026-01-01T12:00:00.000Z'): Observation =>
  call({
    ...{ tool: 'Reply', client: 'claude-code', input: {}, output, ts },
    message: { role: 'assistant', turnId, agentId: null },
  });
const put = (...events: Observation[]) => store.events.insert(events.map(identify));
const outputs = (): string[] =>
  store.connection
    .all('SELECT payload_json FROM events ORDER BY ts, id')
    .map((row) => String(JSON.parse(String(row.payload_json)).output));

test('a call whose output was left out is whole once it comes again, and is summarised again', () => {
  const whole = call({ toolUseId: 'c1', client: 'claude-code' });
  put({ ...whole, output: leftOutMark });
  store.connection.exec("UPDATE events SET status = 'summarized'");
  expect(store.events.countIncomplete()).toBe(1);
  expect(put(whole)).toEqual({ inserted: 1, duplicates: 0 });
  expect(outputs()).toEqual(['made']);
  expect(store.connection.get('SELECT status FROM events')).toEqual({ status: 'raw' });
  expect(store.events.countIncomplete()).toBe(0);
  expect(put(whole), 'again').toEqual({ inserted: 0, duplicates: 1 });
});

test('a reply that was stored as a placeholder and whole is one, whichever came first and comes again', () => {
  put(reply('t1', leftOutMark), reply('t1', 'It is made.'), reply('t2', 'Another.'));
  expect(outputs().toSorted((a, b) => (a < b ? -1 : 1))).toEqual(['Another.', 'It is made.']);
  put(reply('t3', 'Third.'), reply('t3', leftOutMark));
  put(reply('t1', leftOutMark));
  expect(outputs().toSorted((a, b) => (a < b ? -1 : 1))).toEqual(['Another.', 'It is made.', 'Third.']);
});

test('without turn and call id the nearest placeholder in time is the event, one for each', () => {
  const at = (s: number): string => `2026-01-01T12:00:0${s}.000Z`;
  put(call({ input: leftOutMark, output: leftOutMark, ts: at(1) }));
  put(call({ input: leftOutMark, output: leftOutMark, ts: at(4) }));
  put(call({ toolUseId: 'a', ts: at(1), output: 'one' }), call({ toolUseId: 'b', ts: at(4), output: 'two' }));
  expect(outputs()).toEqual(['one', 'two']);
  put(reply(null, leftOutMark, at(5)), reply(null, 'Said.', at(6)));
  expect(outputs()).toEqual(['one', 'two', 'Said.']);
});

test('the double of an earlier version is found when the table is made, and goes when the whole event comes again', () => {
  store.close();
  const old = ofSecondRelease(path.join(folder, 'db.sqlite'));
  const sql = `INSERT INTO events (id, ts, session_id, tool, client, payload_json, kind, role, turn_id) VALUES (?, ?, 's', 'Reply', 'claude-code', ?, 'message', 'assistant', 't1')`;
  const whole = reply('t1', 'It is made.');
  for (const one of [{ ...whole, output: leftOutMark }, whole]) {
    const { id, ...payload } = identify(one);
    old.run(sql, id, one.ts, JSON.stringify(payload));
  }
  old.close();
  store = openStore(path.join(folder, 'db.sqlite'));
  expect(store.events.countIncomplete()).toBe(1);
  expect(put(whole)).toEqual({ inserted: 0, duplicates: 1 });
  expect(outputs()).toEqual(['It is made.']);
});

test('an event that only quotes the note is whole', () => {
  put(call({ toolUseId: 'q', output: `the note is ${leftOutMark}` }));
  expect(store.events.countIncomplete()).toBe(0);
});
