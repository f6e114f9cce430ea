import fs from 'node:fs';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import { end } from '../support/processes.ts';
import { until } from '../support/until.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const pageBytes = 4_096;
const eventsStored = 400;
const builtin = { drain: { backend: 'builtin' } };

/** A home whose database has some hundred events with their memories, one of them pinned; no daemon. */
async function filledHome(): Promise<Home> {
  const home = Home.open({ config: builtin });
  await home.start();
  const calls = Array.from({ length: eventsStored }, (_, at) => at);
  for (let from = 0; from < eventsStored; from += 50) {
    await Promise.all(calls.slice(from, from + 50).map((at) => capture(home, `call-${at}`)));
  }
  await home.ask({ op: 'drain' });
  expect(await home.ask({ op: 'pin', id: 7 })).toMatchObject({ ok: true });
  await home.memd(['stop']);
  return home;
}

function capture(home: Home, name: string): Promise<string> {
  const output = `the text of ${name} `.repeat(20);
  return home.capture({ tool: 'Read', input: { file_path: `src/${name}.ts` }, output, toolUseId: name });
}

/** Starts a daemon that reads nothing more by itself, so that the next call is what meets the damage. */
async function startUnread(home: Home): Promise<number> {
  const pid = await home.start({ env: { MEMD_FAULTS: 'prepare=3600000' } });
  // Behind the outlines that a start prepares.
  await home.ask({ op: 'search', query: 'call-7' });
  return pid;
}

/** Overwrites the page of the database file that holds this text. */
function damagePageOf(home: Home, text: string): void {
  const at = fs.readFileSync(home.workspace().database).indexOf(text);
  expect(at).toBeGreaterThan(0);
  damagePages(home, [1 + Math.floor(at / pageBytes)]);
}

/** Overwrites pages, whose numbers count from 1. */
function damagePages(home: Home, pages: readonly number[]): void {
  const { database } = home.workspace();
  const bytes = fs.readFileSync(database);
  for (const page of pages) bytes.fill(0xa5, (page - 1) * pageBytes, page * pageBytes);
  fs.writeFileSync(database, bytes);
}

const setAside = (home: Home): string[] =>
  fs.readdirSync(home.workspace().folder).filter((name) => /^db\.sqlite\.corrupt-[^-]*$/.test(name));
const ids = (home: Home): Set<string> =>
  new Set(home.rows('SELECT tool_use_id FROM events').map((row) => String(row.tool_use_id)));

const isStored = (home: Home, name: string): boolean => ids(home).has(name);

/** The one note of a start that has repaired, in its parts. */
function noteOf(stderr: string): { aside: string; events: number; memories: number } {
  const lines = stderr.split('\n').filter((line) => line.includes('the database was damaged'));
  expect(lines).toHaveLength(1);
  const found = /set aside as (\S+): (\d+) events and (\d+) memories were salvaged/.exec(lines[0] ?? '');
  return { aside: found?.[1] ?? '', events: Number(found?.[2]), memories: Number(found?.[3]) };
}

describe('a damaged page of the database', () => {
  test('is found after a crash: the file is set aside, the rest salvaged, the log replayed', async () => {
    const home = await filledHome();
    await end(await home.start());
    damagePageOf(home, 'src/call-200.ts');
    const damaged = fs.readFileSync(home.workspace().database);
    const started = await home.memd(['start']);
    expect(started.code).toBe(0);
    const { aside, events, memories } = noteOf(started.stderr);
    expect(fs.readFileSync(aside).equals(damaged)).toBe(true);
    expect(events).toBeGreaterThan(eventsStored - 40);
    expect(memories).toBe(eventsStored);
    expect(home.rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(home.rows('SELECT id FROM summaries WHERE pinned = 1')).toEqual([{ id: 7 }]);
    const hits = await home.ask({ op: 'search', query: 'call-7' });
    expect(hits).toMatchObject({ ok: true });
    expect(home.daemonLog().some(({ msg }) => msg === 'the database was damaged and is repaired')).toBe(true);
    expect(await capture(home, 'afterwards')).toMatch(/^ev_/);
    await home.memd(['stop']);
    // Nothing is left to repair.
    expect(await home.memd(['start'])).toMatchObject({ code: 0, stderr: '' });
    expect(ids(home).has('afterwards')).toBe(true);
    expect(setAside(home)).toHaveLength(1);
  });

  test('is found at a start after an end in order, before anybody meets it', async () => {
    const home = await filledHome();
    damagePageOf(home, 'src/call-200.ts');
    const started = await home.memd(['start']);
    expect(started.code).toBe(0);
    expect(noteOf(started.stderr)).toMatchObject({ memories: eventsStored });
    expect(await home.mem(['search', 'call-7'])).toMatchObject({ code: 0, stderr: '' });
  });

  test('that is too large for that is found by a check in the background, and the next call has it repaired', async () => {
    const home = await filledHome();
    damagePageOf(home, 'src/call-200.ts');
    await home.start({ env: { MEMD_FAULTS: 'start.check=0,database.check=50' } });
    await until('the end of the daemon', () => home.daemons().length === 0);
    expect(home.daemonLog().at(-1)).toMatchObject({ msg: 'stopped' });
    expect(setAside(home)).toEqual([]);
    const ran = await home.hook({ tool: 'Read', input: { file_path: 'a' }, output: 'b', toolUseId: 'woke' });
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('starts again and stores it') });
    await until(
      'the call',
      () => setAside(home).length === 1 && home.daemons().length === 1 && isStored(home, 'woke'),
    );
    expect(home.rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  });

  test('is looked for once a day', async () => {
    const home = await filledHome();
    const checkedAt = () =>
      home.rows("SELECT value FROM settings WHERE name = 'database.checkedAt'")[0]?.value;
    const soon = { env: { MEMD_FAULTS: 'database.check=50' } };
    await home.start(soon);
    await until('the look', () => checkedAt() !== undefined);
    await home.memd(['stop']);
    const first = checkedAt();
    // A day passes in a moment.
    home.operate("UPDATE settings SET value = '2026-01-01T00:00:00.000Z' WHERE name = 'database.checkedAt'");
    await home.start(soon);
    await until('the next look', () => String(checkedAt()) >= String(first));
  });

  test('that returns immediately restarts nothing: a failing disk is not repaired in a loop', async () => {
    const home = await filledHome();
    await end(await home.start());
    damagePageOf(home, 'src/call-200.ts');
    await startUnread(home);
    expect(setAside(home)).toHaveLength(1);
    damagePageOf(home, 'src/call-100.ts');
    // Another writer, so that the daemon reads again what it had in its cache.
    home.operate("INSERT OR REPLACE INTO settings (name, value) VALUES ('touched', '1')");
    await capture(home, 'under-way-0');
    await home.ask({ op: 'get', ids: Array.from({ length: 50 }, (_, at) => 75 + at) }).catch(() => {});
    await until('the end of the daemon', () => home.daemons().length === 0);
    expect(fs.existsSync(home.workspace().idle)).toBe(false);
    expect(await home.memd(['start'])).toMatchObject({ code: 0 });
  });

  test.each([
    ['memd drain', ['memd', 'drain']],
    ['mem export', ['mem', 'export']],
  ] as const)('is reported in words by %s, with the repair', async (_, [program, command]) => {
    const home = await filledHome();
    home.operate("UPDATE events SET status = 'raw'");
    const roots = home.rows("SELECT rootpage FROM sqlite_schema WHERE name IN ('events', 'summaries')");
    damagePages(
      home,
      roots.map(({ rootpage }) => Number(rootpage)),
    );
    const ran = await home[program]([command]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/the database is damaged \(.+\)/);
    expect(ran.stderr).toContain('`memd start`, which sets the damaged file aside');
    expect(ran.stderr).not.toContain('unexpected');
    // Whatever a check would say.
    expect(fs.existsSync(`${home.workspace().database}.damaged`)).toBe(true);
    const started = await home.memd(['start']);
    expect(started.code).toBe(0);
    noteOf(started.stderr);
  });

  test('met while running ends the daemon in order, its log intact; the next call starts it again, repaired', async () => {
    const home = await filledHome();
    const pid = await startUnread(home);
    damagePageOf(home, 'src/call-399.ts');
    // After a change by another program the daemon reads from the file again what it has in memory: the outline that it has prepared.
    home.operate("INSERT INTO settings (name, value) VALUES ('of-a-test', '')");
    const promised: string[] = [];
    // The events go behind the last ones, whose page is damaged.
    await capture(home, 'under-way-0').then(() => promised.push('under-way-0'));
    await until('the end of the daemon', () => home.daemons().length === 0);
    expect(fs.existsSync(home.workspace().socket)).toBe(false);
    expect(home.daemonLog().some(({ msg }) => msg.startsWith('the database is damaged'))).toBe(true);
    expect(home.daemonLog().at(-1)).toMatchObject({ msg: 'stopped' });
    expect(fs.statSync(home.workspace().log).size).toBeGreaterThan(0);

    expect(fs.statSync(home.workspace().idle).mode & 0o777).toBe(0o600);
    expect(await home.mem(['search', 'call-7'])).toMatchObject({ code: 0 });
    expect(home.pid()).not.toBe(pid);
    expect(ids(home).size).toBeGreaterThan(eventsStored - 40);
    const stored = ids(home);
    expect(promised.filter((name) => !stored.has(name))).toEqual([]);
    expect(home.rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(fs.statSync(home.workspace().log).size).toBe(0);
  });

  test('that is the first one: nothing can be salvaged, everything is kept aside, and the daemon serves', async () => {
    const home = await filledHome();
    damagePages(home, [1]);
    const bytes = fs.readFileSync(home.workspace().database);
    const started = await home.memd(['start']);
    expect(started.code).toBe(0);
    expect(noteOf(started.stderr)).toMatchObject({ events: 0, memories: 0 });
    expect(fs.readFileSync(noteOf(started.stderr).aside).equals(bytes)).toBe(true);
    expect(await capture(home, 'afterwards')).toMatch(/^ev_/);
  });

  test.each(['of an index', 'that is the first'])(
    '%s does not keep info from telling what it can',
    async (which) => {
      const home = await filledHome();
      const roots = home.rows(
        "SELECT rootpage FROM sqlite_schema WHERE name LIKE 'events%' AND rootpage > 0",
      );
      damagePages(home, which === 'of an index' ? roots.map(({ rootpage }) => Number(rootpage)) : [1]);
      const before = fs.readFileSync(home.workspace().database);
      const { code, stdout } = await home.memd(['info', '--json']);
      expect(code).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({ daemon: { reachable: false } });
      const words = await home.memd(['info']);
      expect(words.stdout).toContain('daemon: unreachable');
      expect(words.stdout).toMatch(/memd start.*, which sets it aside and salvages the readable rows/);
      expect(fs.readFileSync(home.workspace().database).equals(before)).toBe(true);
      expect(setAside(home)).toEqual([]);
    },
  );

  test.each(['repair.filled@1', 'repair.aside@1', 'repair.aside@2', 'repair.aside@3', 'repair.exchange@1'])(
    'is repaired even if the repair is killed (%s)',
    async (point) => {
      const home = await filledHome();
      await end(await home.start());
      damagePageOf(home, 'src/call-200.ts');
      const killed = await home.memd(['start'], { env: { MEMD_FAULTS: `${point}=kill` } });
      expect(killed.code).toBe(1);
      const started = await home.memd(['start']);
      expect(started.code).toBe(0);
      expect(noteOf(started.stderr)).toMatchObject({ memories: eventsStored });
      expect(home.rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
      expect(setAside(home)).toHaveLength(1);
      await home.memd(['stop']);
      const names = fs.readdirSync(home.workspace().folder).filter((name) => /salvag|damaged/.test(name));
      expect(names).toEqual([]);
    },
  );
});
