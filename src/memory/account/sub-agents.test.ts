import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { workMsIn } from '#core/event';
import { openStore, type Store } from '#memory/store';
import { sessionDiff } from '#query/sessions';
import { accountOf } from '../../../test/support/account/account-of.ts';
import { Calls } from '../../../test/support/account/events.ts';
import { Digester, SessionAccounts } from './index.ts';

let folder: string;
let store: Store;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-helpers-'));
  store = openStore(path.join(folder, 'db.sqlite'));
  started('mill', '', new Calls('mill').edit('wheel.ts', 'stop();', 'turn();'));
  started(
    'oiler',
    'mill',
    new Calls('oiler').write('axle.ts', 'oil();').edit('wheel.ts', 'turn();', 'run();'),
  );
  started('cleaner', 'oiler', new Calls('cleaner').write('floor.ts', 'sweep();'));
});
afterEach(() => {
  store.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

function started(session: string, by: string, { events: made }: Calls, year = ''): void {
  const parent = { session: by, kind: 'agent' } as const;
  const events = made.map((one) => ({ ...one, ts: one.ts.replace(/^\d{4}/, (at) => year || at) }));
  store.events.insert(events.map((event) => (by === '' ? event : { ...event, parent })));
  expect(events.every(({ sessionId }) => sessionId === session)).toBe(true);
}

const digest = () => new Digester(store).run({ quietSince: null, signal: new AbortController().signal });
const filesIn = (account: ReturnType<SessionAccounts['of']> | undefined) =>
  account?.files.map(({ path: file, edits }) => `${file} ${edits}`);
const whole = ['wheel.ts 2', 'axle.ts 1', 'floor.ts 1'];

it('what helpers changed is in the account of who started them, each file once', async () => {
  const accounts = new SessionAccounts(store);
  expect(filesIn(accounts.of('mill'))).toEqual(whole);
  expect(filesIn(accounts.of('oiler'))).toEqual(['axle.ts 1', 'wheel.ts 1', 'floor.ts 1']);
  expect(filesIn(accounts.of('cleaner'))).toEqual(['floor.ts 1']);
  await digest();
  const brief = () => accounts.withBriefs([{ sessionId: 'mill' }])[0]?.brief;
  expect(filesIn(accounts.stored('mill') ?? undefined)).toEqual(whole);
  expect(brief()).toMatchObject({ files: ['wheel.ts', 'axle.ts', 'floor.ts'], filesCount: 3 });
  expect(sessionDiff(store, 'mill', 'wheel.ts')).toMatchObject({ edits: 2, added: 1, removed: 1 });
  expect(sessionDiff(store, 'mill', 'floor.ts')).toMatchObject({ edits: 1, added: 1 });
});

it('counts the time in which helpers worked as work, once', () => {
  const timed = (session: string, ...minutes: readonly number[]) => {
    for (const [at, minute] of minutes.entries()) {
      const ts = new Date(Date.UTC(2026, 5, 1, 12, minute)).toISOString();
      const sql =
        'UPDATE events SET ts = ? WHERE seq = (SELECT seq FROM events WHERE session_id = ? ORDER BY seq LIMIT 1 OFFSET ?)';
      store.connection.run(sql, ts, session, at);
    }
  };
  started('mill', '', new Calls('mill').edit('wheel.ts', 'stop();', 'turn();').run('true').run('false'));
  timed('mill', 0, 5, 60);
  timed('oiler', 15, 19);
  timed('cleaner', 30);
  const workOf = (session: string) => workMsIn(new SessionAccounts(store).of(session)?.worked ?? []) / 60_000;
  expect(workOf('mill')).toBe(30);
  expect(workOf('oiler')).toBe(15);
  expect(workOf('cleaner')).toBe(0);
});

it('counts no time in which a person thought', () => {
  // A second each: three in the first turn, of which one is the answer's, and one in the second.
  const { worked } = accountOf(
    ['user', 'Please make the mill grind rye'],
    new Calls().read('mill.ts').ask('Which stone?', 'granite').read('stone.ts'),
    ['assistant', 'The mill grinds rye.'],
    ['user', 'Now make it grind oats'],
    new Calls().read('mill.ts'),
  );
  expect(workMsIn(worked)).toBe(4_000);
});

it('follows the events of a helper, those that come and those that are forgotten', async () => {
  await digest();
  const accounts = new SessionAccounts(store);
  started('cleaner', 'oiler', new Calls('cleaner').write('floor.ts', 'sweep();').write('yard.ts', 'rake();'));
  expect(filesIn(accounts.of('mill'))).toEqual([...whole, 'yard.ts 1']);
  await digest();
  store.connection.run("DELETE FROM events WHERE session_id = 'cleaner'");
  await digest();
  expect(filesIn(accounts.of('mill'))).toEqual(whole.slice(0, 2));
  expect(JSON.stringify(store.connection.all('SELECT account FROM accounts'))).not.toContain('floor.ts');
});

it('takes nothing from the helper of another author', () => {
  store.connection.run("UPDATE events SET is_foreign = 1 WHERE session_id = 'oiler'");
  expect(filesIn(new SessionAccounts(store).of('mill'))).not.toContain('axle.ts 1');
});

it('what a helper checked counts, with what came after it', () => {
  const checks = () =>
    new SessionAccounts(store)
      .of('mill')
      ?.checks.map(({ name, end, isFixed, isStale }) => [name, end, isFixed, isStale]);
  const failing = new Calls('tester').run('vitest run wheel.test.ts', '1 failed | 2 passed', true);
  started('tester', 'mill', failing, '2031');
  expect(checks()).toEqual([['vitest run wheel.test.ts', 'failed', false, false]]);
  started('prover', 'mill', new Calls('prover').run('npm test', '3 passed'), '2032');
  expect(checks()).toContainEqual(['npm test', 'passed', false, false]);
  expect(checks()).toContainEqual(['vitest run wheel.test.ts', 'failed', true, false]);
  started('painter', 'mill', new Calls('painter').edit('wheel.ts', 'run();', 'spin();'), '2033');
  expect(checks()).toContainEqual(['npm test', 'passed', false, true]);
});

it('a pass of a helper in another folder proves nothing of this one', () => {
  const failing = new Calls('tester').run('npm test', '1 failed | 2 passed', true);
  started('tester', 'mill', failing, '2031');
  const passed = new Calls('prover').run('npm test', '3 passed').events;
  store.events.insert(
    passed.map((one) => ({
      ...one,
      ...{ cwd: '/p/wheel', ts: one.ts.replace('2026', '2032'), parent: { session: 'mill', kind: 'agent' } },
    })),
  );
  const checks = new SessionAccounts(store).of('mill')?.checks ?? [];
  expect(checks.map(({ place, end, isFixed }) => [place, end, isFixed])).toEqual([
    ['', 'failed', false],
    ['wheel', 'passed', false],
  ]);
});
