import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { identify, type Observation, type ToolEvent } from '#core/event';
import { ofSecondRelease } from '../../../../test/support/store/released.ts';
import { sessionNamed } from '../reads/names.ts';
import { OutlineReads } from '../reads/outline-reads.ts';
import { openStore, type Store } from '../store.ts';
import { ForgottenTable } from './forgotten.ts';

let folder: string;
let store: Store;
const open = (): Store => openStore(path.join(folder, 'db.sqlite'));
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-copies-'));
  store = open();
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
  store.close();
});

const call = (session: string, id: string, more: Partial<Observation> = {}): ToolEvent =>
  identify({
    ...{ tool: 'Bash', input: { command: `make ${id}` }, output: 'ok', sessionId: session, toolUseId: id },
    ...{ ts: '2026-05-04T03:02:01.000Z', client: 'claude-code', isError: false, cwd: null, ...more },
  });
const said = (session: string, text: string, turnId: string, more: Partial<Observation> = {}): ToolEvent =>
  call(session, '', {
    ...{
      tool: 'Prompt',
      input: {},
      output: text,
      toolUseId: null,
      message: { role: 'user', turnId, agentId: null },
    },
    ...more,
  });
const turn = '0d6f3a51-4a8e-4f0e-9d44-1d8f6f7c5a01';
const rows = (): unknown[] =>
  store.connection
    .all('SELECT session_id, coalesce(tool_use_id, turn_id) AS of FROM events ORDER BY seq')
    .map(({ session_id: session, of }) => `${String(session)} ${String(of)}`);

it('stores what a fork repeats once, and says which session it goes on from', () => {
  store.events.insert([call('first', 'toolu_0123456789abcdef'), said('first', 'Grind the rye.', turn)]);
  const later = '2026-05-04T04:00:00.000Z';
  const copies = [
    call('fork', 'toolu_0123456789abcdef', { ts: later }),
    said('fork', 'Grind the rye.', turn, { ts: later }),
  ];
  const own = call('fork', 'toolu_fedcba9876543210');
  expect(store.events.preview([...copies, own]).map(({ known }) => known)).toEqual([true, true, false]);
  expect(store.events.insert([...copies, own])).toEqual({ inserted: 1, duplicates: 2 });
  expect(rows()).toEqual(['first toolu_0123456789abcdef', `first ${turn}`, 'fork toolu_fedcba9876543210']);
  expect(store.connection.all('SELECT * FROM session_links')).toMatchObject([
    { session_id: 'fork', parent: 'first', kind: 'fork' },
  ]);
});

it('keeps two sessions apart that say and do the same with ids that a model counts', () => {
  const other = { ts: '2026-05-04T05:00:00.000Z' };
  store.events.insert([
    ...[call('one', 'functions.bash:0'), said('one', 'Grind.', '1')],
    ...[call('other', 'functions.bash:0', other), said('other', 'Grind.', '1', other)],
  ]);
  expect(rows()).toHaveLength(4);
});

it('does not store from a fork what was forgotten in the first session', () => {
  const first = call('first', 'toolu_0123456789abcdef');
  store.events.insert([first]);
  store.connection.run('DELETE FROM events');
  new ForgottenTable(store).add([first.id], first.ts);
  expect(store.events.insert([call('fork', 'toolu_0123456789abcdef')]).inserted).toBe(0);
});

it('cleans a database that holds copies, and keeps what only a copy had', () => {
  const ids = ['toolu_0123456789abcdef', 'toolu_1123456789abcdef'];
  const events = ids.map((id) => call('first', id));
  const copies = ids.map((id) => call('fork', id));
  const own = call('fork', 'toolu_fedcba9876543210', { ts: '2026-05-04T06:00:00.000Z' });
  // As the second release did: the newest file first, and nothing of copies.
  store.close();
  const old = ofSecondRelease(path.join(folder, 'db.sqlite'));
  const insert = `INSERT INTO events (id, ts, session_id, tool, tool_use_id, client, payload_json, status) VALUES (?, ?, ?, 'Bash', ?, 'claude-code', ?, 'summarized')`;
  for (const one of [...copies, own, ...events]) {
    old.run(insert, one.id, one.ts, one.sessionId, one.toolUseId, JSON.stringify(one));
    const model = one === copies[1] ? 'model' : 'builtin';
    const pinned = one === copies[0] ? 1 : 0;
    const sql = 'INSERT INTO summaries (event_id, text, model, ts, pinned) VALUES (?, ?, ?, ?, ?)';
    old.run(sql, one.id, `by ${model}`, model, one.ts, pinned);
  }
  old.close();
  store = open();
  expect(rows()).toEqual([`fork ${own.toolUseId}`, ...ids.map((id) => `first ${id}`)]);
  const kept = store.connection.all(
    'SELECT e.tool_use_id, s.model, s.pinned FROM summaries s JOIN events e ON e.id = s.event_id ORDER BY e.seq',
  );
  expect(kept.slice(1)).toMatchObject([
    { tool_use_id: ids[0], model: 'builtin', pinned: 1 },
    { tool_use_id: ids[1], model: 'model', pinned: 0 },
  ]);
  expect(store.events.insert(copies)).toEqual({ inserted: 0, duplicates: 2 });
});

it('takes a helper’s session for none of the user’s', () => {
  const parent = { session: 'main', kind: 'agent' } as const;
  store.events.insert([call('main', 'toolu_0123456789abcdef')]);
  store.events.insert([
    call('helper', 'toolu_1123456789abcdef', { parent, ts: '2026-05-04T07:00:00.000Z' }),
    call('stray', 'toolu_2123456789abcdef', {
      parent: { ...parent, session: '' },
      ts: '2026-05-04T08:00:00.000Z',
    }),
  ]);
  expect(sessionNamed(store.connection, 'last')).toBe('main');
  expect(new OutlineReads(store).sessions(9).map(({ sessionId }) => sessionId)).toEqual(['main']);
});

it('takes no note alone for the last session', () => {
  const later = { tool: 'Note', ts: '2026-05-04T08:00:00.000Z' };
  store.events.insert([
    call('main', 'toolu_0123456789abcdef'),
    call('away', 'toolu_1123456789abcdef', later),
  ]);
  expect(sessionNamed(store.connection, 'last')).toBe('main');
});

it('fills in the result of an unfinished call, once', () => {
  const open = call('s', 'toolu_0123456789abcdef', { output: '', unfinished: true });
  const whole = call('s', 'toolu_0123456789abcdef', { output: 'made' });
  expect(store.events.insert([open]).inserted).toBe(1);
  expect([1, 2].map(() => store.events.insert([whole]).inserted)).toEqual([1, 0]);
  expect(store.events.insert([open]).inserted).toBe(0);
  expect(store.connection.get("SELECT payload_json ->> '$.output' AS said FROM events")?.said).toBe('made');
});

it('rescues a prompt only where nothing else has its session or its words', () => {
  const rescued = (session: string, text: string): ToolEvent => ({
    ...said(session, text, ''),
    rescued: true,
  });
  store.events.insert([said('known', 'Grind the rye.', turn)]);
  expect(store.events.insert([rescued('known', 'Sieve it.')]).inserted).toBe(0);
  expect(store.events.insert([rescued('a day', 'Grind the rye.')]).inserted).toBe(0);
  expect(store.events.insert([rescued('lost', 'Bake the bread.')]).inserted).toBe(1);
});
