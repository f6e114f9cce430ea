import fs from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { closeHomes, Home } from '../support/home.ts';
import { until } from '../support/until.ts';
import { Daemon } from './daemon.ts';

const daemons: Daemon[] = [];
afterEach(async () => {
  for (const daemon of daemons.splice(0)) await daemon.end('SIGKILL');
  await closeHomes();
});

async function start(home: Home, faults: string): Promise<Daemon> {
  const daemon = Daemon.spawn(home, faults);
  daemons.push(daemon);
  if (!(await daemon.ready())) throw new Error(`it did not start: ${daemon.stderr}`);
  return daemon;
}

/** Captures a call; `large` calls have 20,000 characters. */
function capture(home: Home, name: string, large = false): Promise<JsonObject> {
  const output = `text of ${name} `.repeat(large ? 1_400 : 1);
  return home.ask({ op: 'capture', tool: 'Read', input: {}, output, toolUseId: name });
}

const stored = (home: Home): string[] =>
  home.rows('SELECT tool_use_id FROM events ORDER BY seq').map((row) => String(row.tool_use_id));

const refused = (code: string) => ({
  ok: false,
  error: { code: 'unavailable', message: expect.stringContaining(code) },
});

/** What the next start finds wrong in the log. */
const damage = (home: Home): string[] =>
  home.daemonLog().flatMap(({ msg }) => (msg.startsWith('WAL replay failed') ? [msg] : []));

/** Ends the daemon in the hardest way and starts another without faults; answers what is stored then. */
async function afterKill(home: Home, daemon: Daemon): Promise<string[]> {
  await daemon.end('SIGKILL');
  const next = await start(home, '');
  const all = stored(home);
  await next.end('SIGTERM');
  return all;
}

// The database is kept from being written once it is made (two commits), so that the log has to carry everything over
// the kill.
const noCommit = 'store.commit.before@3+=eio';

describe('a sync that fails', () => {
  test('is not acknowledged; what comes after it is, and nothing is glued', async () => {
    const home = Home.open();
    const daemon = await start(home, `log.sync@3=eio,${noCommit}`);
    expect(await capture(home, 'before')).toMatchObject({ ok: true });
    const size = fs.statSync(home.workspace().log).size;
    expect(await capture(home, 'refused')).toEqual(refused('EIO'));
    expect(fs.statSync(home.workspace().log).size).toBe(size);
    expect(await capture(home, 'after')).toMatchObject({ ok: true });
    expect(await afterKill(home, daemon)).toEqual(['before', 'after']);
    expect(damage(home)).toEqual([]);
  });

  test('with a log that cannot be cut back either: what was acknowledged is whole, what was refused is at most there once', async () => {
    const home = Home.open();
    const daemon = await start(home, `log.sync@3=eio,log.truncate@1+=eio,${noCommit}`);
    expect(await capture(home, 'before')).toMatchObject({ ok: true });
    expect(await capture(home, 'refused', true)).toEqual(refused('EIO'));
    expect(await capture(home, 'after')).toMatchObject({ ok: true });
    expect(await capture(home, 'last')).toMatchObject({ ok: true });
    expect(await afterKill(home, daemon)).toEqual(['before', 'after', 'last']);
    // The rest of the refused line, which nothing could remove.
    expect(damage(home)).toHaveLength(1);
  });

  test('counts for all captures that shared it', async () => {
    const home = Home.open();
    const daemon = await start(home, `log.sync@3=eio,${noCommit}`);
    expect(await capture(home, 'before')).toMatchObject({ ok: true });
    const names = Array.from({ length: 20 }, (_, at) => `shared-${at}`);
    const replies = await Promise.all(names.map((name) => capture(home, name)));
    const kept = names.filter((_name, at) => replies[at]?.ok === true);
    expect(replies.filter(({ ok }) => ok === false).length).toBeGreaterThan(0);
    expect((await afterKill(home, daemon)).sort()).toEqual(['before', ...kept].sort());
  });
});

describe('a disk without room', () => {
  test.each([0, 1, 40, 19_000])(
    'cuts a write short after %i bytes; with room again no line is glued',
    async (bytes) => {
      const home = Home.open();
      const daemon = await start(home, `log.write@2=short:${bytes},${noCommit}`);
      expect(await capture(home, 'before')).toMatchObject({ ok: true });
      expect(await capture(home, 'refused', true)).toEqual(refused('ENOSPC'));
      expect(await capture(home, 'after')).toMatchObject({ ok: true });
      expect(await afterKill(home, daemon)).toEqual(['before', 'after']);
      expect(damage(home)).toEqual([]);
    },
  );
});

describe('a disk that has become read-only', () => {
  test('refuses every capture in words and keeps answering; the next start has what was acknowledged', async () => {
    const home = Home.open();
    const faults = 'log.write@2+=erofs,log.truncate@1+=erofs,store.commit.before@3+=erofs';
    const daemon = await start(home, faults);
    expect(await capture(home, 'before')).toMatchObject({ ok: true });
    for (const name of ['one', 'two', 'three']) expect(await capture(home, name)).toEqual(refused('EROFS'));
    expect(await home.ask({ op: 'ping' })).toEqual({ ok: true });
    const { warnings } = await home.info();
    expect(warnings).toContainEqual(
      expect.stringMatching(/^since .* no tool call is stored \(3 so far\): EROFS.*\. The disk/),
    );
    expect(await afterKill(home, daemon)).toEqual(['before']);
  });

  test('at the start is a refusal in words', async () => {
    const home = Home.open();
    for (const [point, code] of [
      ['pid.write', 'EROFS'],
      ['log.open', 'EROFS'],
      ['log.sync', 'EIO'],
    ]) {
      const faults = `${point}@1=${code?.toLowerCase()}`;
      const { code: exit, stderr } = await home.memd(['start'], { env: { MEMD_FAULTS: faults } });
      expect([exit, stderr]).toEqual([1, expect.stringMatching(new RegExp(`^memd: .*${code}.*\\n$`))]);
    }
    expect(home.daemons()).toEqual([]);
    await end(home);
  });
});

/** A start without faults works again. */
async function end(home: Home): Promise<void> {
  const daemon = await start(home, '');
  expect(await capture(home, 'again')).toMatchObject({ ok: true });
  expect(await daemon.end('SIGTERM')).toBe('exit 0');
}

describe('a damaged log', () => {
  test('that cannot be set aside keeps the daemon from starting, and is still there for the next', async () => {
    const home = Home.open();
    const daemon = await start(home, noCommit);
    for (const name of ['one', 'two']) expect(await capture(home, name)).toMatchObject({ ok: true });
    await daemon.end('SIGKILL');
    const { log } = home.workspace();
    fs.writeFileSync(log, Buffer.concat([Buffer.from('garbage\n'), fs.readFileSync(log)]));
    const failing = Daemon.spawn(home, 'aside.sync@1=eio');
    daemons.push(failing);
    expect(await failing.ready()).toBe(false);
    expect(failing.stderr).toMatch(/EIO/);
    await start(home, '');
    expect(stored(home)).toEqual(['one', 'two']);
    await until('an empty log', () => fs.statSync(log).size === 0);
  });
});
