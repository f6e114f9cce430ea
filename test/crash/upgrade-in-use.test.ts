import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, expect, test } from 'vitest';
import { accountForm } from '../../src/memory/account/account.ts';
import { closeHomes, Home } from '../support/home.ts';
import { until } from '../support/until.ts';
import { ask } from '../support/wire.ts';
import { Daemon } from './daemon.ts';
import { writeFirstRelease } from './first-release.ts';

const lookMs = 10;
/** A limit for what hangs: a busy machine takes a minute. */
const timeout = 300_000;

afterEach(closeHomes);

/** A database of the first release, before the first start of this one. */
function earlier(sessions: number): Home {
  const drain = { backend: 'builtin', tickMs: 50 };
  const home = Home.open({ config: { idleMinutes: 0, drain, retention: { payloadDays: 100_000 } } });
  const { folder, database } = home.workspace();
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFirstRelease(database, sessions);
  const own = new DatabaseSync(database);
  own.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  own.close();
  fs.chmodSync(database, 0o600);
  return home;
}

function accountsIn(home: Home): number {
  return Number(home.rows(`SELECT count(*) AS n FROM accounts WHERE form = ${accountForm}`)[0]?.n);
}

test('what is captured while the accounts of an older database are made is found before the last one', {
  timeout,
}, async () => {
  const sessions = 300;
  const home = earlier(sessions);
  const daemon = Daemon.spawn(home, '');
  expect(await daemon.ready()).toBe(true);
  await until('the first accounts', () => accountsIn(home) > 0);
  const { socket } = home.workspace();
  const call = { tool: 'Bash', input: { command: 'make harbour' }, output: 'ok', sessionId: 'live' };
  await ask(socket, { op: 'capture', ...call, toolUseId: 'live-1' });
  let found: unknown;
  while (!Array.isArray(found) || found.length === 0) {
    await pause(lookMs);
    found = (await ask(socket, { op: 'search', query: 'harbour', session: 'live' })).hits;
  }
  expect(accountsIn(home)).toBeLessThan(sessions);
  while (!daemon.hasEnded && accountsIn(home) < sessions) await pause(lookMs);
  expect(await daemon.end('SIGTERM')).toBe('exit 0');
});

test('a session that cannot be read costs no other one its account, and is logged once', {
  timeout,
}, async () => {
  const sessions = 12;
  const home = earlier(sessions);
  const upgraded = async (accounts: number): Promise<void> => {
    const daemon = Daemon.spawn(home, '');
    expect(await daemon.ready()).toBe(true);
    await until('the accounts', () => accountsIn(home) === accounts);
    expect(await daemon.end('SIGTERM')).toBe('exit 0');
  };
  await upgraded(sessions);
  // As another form of accounts would find it.
  home.operate(
    "UPDATE accounts SET form = form - 1; UPDATE events SET ts = x'00' WHERE session_id = 'mill-7' AND seq % 2 = 0",
  );
  await upgraded(sessions - 1);
  await upgraded(sessions - 1);
  const failed = home.daemonLog().filter(({ msg }) => msg === 'the account of a session failed');
  expect(failed).toHaveLength(1);
});
