import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ToolEvent } from '#core/event';
import { SessionAccounts } from '#memory/account';
import { openStore, type Store } from '#memory/store';
import { Standings, States } from '#query/state';
import { gather, printed } from './outline.ts';
import { PreparedOutlines } from './prepared.ts';

let folder: string;
let store: Store;
let outlines: PreparedOutlines;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-prepared-'));
  store = openStore(path.join(folder, 'db.sqlite'));
  outlines = open();
});
afterEach(() => {
  outlines.close();
  fs.rmSync(folder, { recursive: true, force: true });
  store.close();
});

const tokenBudget = 600;
const open = () =>
  new PreparedOutlines({
    ...{ store, accounts: new SessionAccounts(store), tokenBudget },
    ...{ states: new States(store, folder), standings: new Standings(folder) },
  });
const nothingKnown = { states: new Map(), standings: [], missing: new Set<string>() };

let clock = 0;

/** A call of a session as it is committed; its memory with `remembered`. */
function run(sessionId: string, command: string, isError = false): void {
  clock += 1;
  const event: ToolEvent = {
    ...{ id: `ev_${clock}`, toolUseId: `call_${clock}`, tool: 'Bash', input: { command }, cwd: folder },
    ...{ sessionId, client: 'claude-code', isError, output: isError ? 'Exit code 1\nfailed' : 'ok' },
    ts: new Date(Date.UTC(2026, 0, 1, 12, 0, clock)).toISOString(),
  };
  store.events.insert([event]);
}

function remembered(): number {
  for (const row of store.events.claim('tester', 0, 100, Date.now()))
    store.summaries.finish('tester', [
      { eventSeq: row.seq, text: `memory ${row.seq}`, terms: '', model: 'm' },
    ]);
  return Number(store.connection.get('SELECT max(id) AS id FROM summaries')?.id);
}

const ask = async (source = 'startup', session = 'new') =>
  (await outlines.give({ source, session }, 2_000)).text;
/** What it would say if nothing were prepared. */
const fresh = (source = 'startup', session = 'new'): string =>
  printed(gather(store, new SessionAccounts(store), { source, session }), {
    ...{ ...nothingKnown, tokenBudget, now: Date.now() },
  }).text;

test('it is given as it was prepared while listed sessions go on, and again once there are new memories', async () => {
  run('one', 'npm test', true);
  await outlines.prepare();
  const before = await ask();
  expect(before).toContain('`npm test`');
  run('one', 'npm test');
  expect(await ask()).toBe(before);
  await outlines.prepare();
  expect(await ask()).toBe(fresh());
  expect(await ask()).not.toContain('Failed, and not passed');
  run('one', 'npm run lint', true);
  remembered();
  expect(await ask()).toContain('`npm run lint`');
});

test('a new session, a session that began already and one of another process are never missing', async () => {
  await outlines.prepare();
  run('one', 'npm test', true);
  expect(await ask()).toBe(fresh());
  expect(await ask()).toContain('`npm test`');
  run('two', 'npm run lint', true);
  expect(await ask('startup', 'one')).toBe(fresh('startup', 'one'));
  const other = openStore(path.join(folder, 'db.sqlite'));
  other.connection.run("DELETE FROM events WHERE session_id = 'two'");
  other.close();
  expect(await ask()).toBe(fresh());
  expect(await ask()).not.toContain('lint');
});

test('after a pin and its removal it says what holds, to sessions that go on too', async () => {
  run('one', 'make');
  const id = remembered();
  await outlines.prepare();
  for (const isPinned of [true, false]) {
    store.summaries.pin(id, isPinned);
    outlines.changed();
    for (const source of ['startup', 'resume', 'fork', 'clear'])
      expect(await ask(source)).toBe(fresh(source));
    expect((await ask('resume')).includes(`#${id} `)).toBe(isPinned);
  }
});

test('a compacted session gets its own handoff, with what it did after it was prepared', async () => {
  run('one', 'make flour');
  await outlines.prepare('one');
  expect(await ask('compact', 'one')).toBe(fresh('compact', 'one'));
  await outlines.prepare('one');
  run('one', 'make bread');
  run('two', 'make beer');
  const own = await ask('compact', 'one');
  expect(own).toContain('make bread');
  expect(own).not.toContain('make beer');
});

test('an age is that of the moment when it is given', () => {
  run('one', 'npm test', true);
  const gathered = gather(store, new SessionAccounts(store), { session: 'new', source: 'startup' });
  const at = (now: string) => printed(gathered, { ...nothingKnown, tokenBudget, now: Date.parse(now) }).text;
  expect(at('2026-01-01T12:30:00Z')).toContain('(within the last hour) ');
  expect(at('2026-01-01T18:00:00Z')).toMatch(/\(5 h ago\) /);
  expect(at('2026-01-05T18:00:00Z')).toContain('(4 days ago) ');
});
