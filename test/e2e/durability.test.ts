import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import { end } from '../support/processes.ts';
import { until } from '../support/until.ts';
import { Wire } from '../support/wire.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const call = (name: string) => ({
  tool: 'Read',
  input: { file_path: `${name}.txt` },
  output: `text of ${name}`,
  toolUseId: name,
});

function eventIds(home: Home): Set<string> {
  return new Set(home.rows('SELECT id FROM events').map(({ id }) => String(id)));
}

/** Captures `names` over one connection and calls `acknowledged` for each reply, until the connection ends. */
async function captureAll(home: Home, names: string[], acknowledged: (id: string) => void): Promise<void> {
  const wire = await Wire.open(home.workspace().socket);
  for (const name of names) wire.send(`${JSON.stringify({ op: 'capture', ...call(name) })}\n`);
  for (const _ of names) {
    const line = await wire.line();
    if (line === null) return;
    const reply = JSON.parse(line);
    expect(reply).toMatchObject({ ok: true });
    acknowledged(reply.id);
  }
  wire.close();
}

describe('kill -9', () => {
  test('what was acknowledged survives it, ten times in a row, however many captures are under way', async () => {
    const home = Home.open();
    const promised = new Set<string>();
    for (let round = 1; round <= 10; round += 1) {
      const pid = await home.start();
      let acks = 0;
      // Odd rounds: right behind the last acknowledgement; even ones: in the middle, at another place each time.
      const killAt = round % 2 === 1 ? 240 : round * 20;
      const clients = Array.from({ length: 8 }, (_, client) =>
        captureAll(
          home,
          Array.from({ length: 30 }, (_unused, at) => `r${round}-c${client}-${at}`),
          (id) => {
            promised.add(id);
            acks += 1;
            if (acks === killAt) process.kill(pid, 'SIGKILL');
          },
        ),
      );
      await Promise.all(clients);
      expect(acks).toBeGreaterThanOrEqual(killAt);
      await end(pid);
    }
    await home.start();
    const stored = eventIds(home);
    expect([...promised].filter((id) => !stored.has(id))).toEqual([]);
    expect(promised.size).toBeGreaterThan(1_000);
    expect(home.rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(home.daemonLog().filter(({ msg }) => msg.startsWith('WAL replay failed: Check'))).toEqual([]);
  });
});

describe('a database that cannot be written', () => {
  test('captures are acknowledged all the same, and stored when it can be again', async () => {
    const home = Home.open();
    await home.start();
    const other = new DatabaseSync(home.workspace().database);
    other.exec('BEGIN IMMEDIATE');
    const ids = await Promise.all(['a', 'b', 'c'].map((name) => home.capture(call(name))));
    expect(eventIds(home).size).toBe(0);
    expect(await home.ask({ op: 'ping' })).toEqual({ ok: true });
    other.exec('ROLLBACK');
    other.close();
    await until('the events in the database', () => eventIds(home).size === 3);
    expect(eventIds(home)).toEqual(new Set(ids));
    await until('an empty log', () => fs.statSync(home.workspace().log).size === 0);
  });
});

describe('a log that is replaced under the daemon', () => {
  test('keeps what is acknowledged before and after for the start behind a kill, and takes in what was put there', async () => {
    const home = Home.open();
    const pid = await home.start();
    const { log, database, folder } = home.workspace();
    const other = new DatabaseSync(database, { timeout: 5_000 });
    other.exec('BEGIN IMMEDIATE');
    const ids = [await home.capture(call('before'))];
    execFileSync('sed', ['-i', 's/nothing of it/nothing/', log]);
    ids.push(await home.capture(call('after sed')));
    fs.rmSync(log);
    ids.push(await home.capture(call('after rm')));
    fs.truncateSync(log, 0);
    ids.push(await home.capture(call('after truncate')));
    await end(pid);
    other.exec('ROLLBACK');
    other.close();
    expect(home.daemonLog().filter(({ msg }) => /replaced or changed the log/.test(msg))).toHaveLength(3);
    await home.start();
    expect(eventIds(home)).toEqual(new Set(ids));
    expect(fs.readdirSync(folder).filter((name) => name.startsWith('wal'))).toEqual(['wal.ndjson']);
  });
});

describe('a database that is taken away from under the daemon', () => {
  const parts = ['', '-wal', '-shm'];
  const take = (file: string, ...which: string[]): void => {
    for (const part of which) fs.renameSync(`${file}${part}`, `${file}.taken${part}`);
  };

  const exchange = (file: string): void => {
    fs.copyFileSync(file, `${file}.copy`);
    fs.renameSync(`${file}.copy`, file);
  };

  test.each<[string, (file: string) => void, boolean]>([
    ['moved away', (file) => take(file, ''), false],
    ['moved away with all that belongs to it', (file) => take(file, ...parts), false],
    ['removed', (file) => fs.rmSync(file), false],
    ['exchanged for a copy', exchange, false],
    ['left without its log', (file) => fs.rmSync(`${file}-wal`), true],
  ])(
    '%s: the daemon ends, and what is acknowledged from then on is stored by the next',
    async (_name, deed, keepsOld) => {
      const home = Home.open();
      const pid = await home.start();
      const { database } = home.workspace();
      const old = await home.capture(call('old'));
      await until('the first event in the database', () => eventIds(home).has(old));
      deed(database);
      const acknowledged = [await home.capture(call('new'))];
      await until('its end', () => home.daemons().length === 0);
      const last = home.daemonLog().at(-1);
      expect(`${last?.msg}: ${last?.error}`).toMatch(
        /cannot go on: .*db\.sqlite was moved, removed or replaced while/,
      );
      expect(await home.start()).not.toBe(pid);
      if (keepsOld) acknowledged.push(old);
      expect([...eventIds(home)]).toEqual(expect.arrayContaining(acknowledged));
      if (!fs.existsSync(`${database}.taken`)) return;
      // What was committed before is in the file that was taken, not in SQLite's log that stayed.
      // A copy: this process still knows that file by its former name.
      fs.copyFileSync(`${database}.taken`, `${database}.copy`);
      const taken = new DatabaseSync(`${database}.copy`);
      expect(taken.prepare('SELECT id FROM events').all()).toContainEqual({ id: old });
      taken.close();
    },
  );
});

describe('the log at the next start', () => {
  /** Lines as a daemon wrote them that was killed before it could commit, one for each name, and their ids. */
  async function linesOf(home: Home, names: string[]): Promise<{ lines: string[]; ids: string[] }> {
    const pid = await home.start();
    const other = new DatabaseSync(home.workspace().database);
    other.exec('BEGIN IMMEDIATE');
    const ids: string[] = [];
    for (const name of names) ids.push(await home.capture(call(name)));
    await end(pid);
    other.exec('ROLLBACK');
    other.close();
    const lines = fs.readFileSync(home.workspace().log, 'utf8').split('\n').filter(Boolean);
    expect(lines).toHaveLength(names.length);
    return { lines, ids };
  }

  const replayFailures = (home: Home) =>
    home
      .daemonLog()
      .map(({ msg }) => msg)
      .filter((msg) => msg.startsWith('WAL replay failed'));

  test('a torn, a garbled and a changed line are reported with their numbers and set aside; the others are replayed', async () => {
    const home = Home.open();
    const { lines, ids } = await linesOf(home, ['one', 'two', 'three', 'four']);
    const [one = '', two = '', three = '', four = ''] = lines;
    const garbage = 'this was never a line of the log {';
    const changed = two.replace('text of two', 'text of twp');
    const torn = four.slice(0, 80);
    expect(changed).not.toBe(two);
    fs.writeFileSync(home.workspace().log, [one, garbage, changed, three, torn].join('\n'));

    await home.start();
    expect(eventIds(home)).toEqual(new Set([ids[0], ids[2]]));
    const failures = replayFailures(home);
    expect(failures).toHaveLength(3);
    expect(failures[0]).toMatch(/^WAL replay failed: SyntaxError: .*line 2\b/);
    expect(failures[1]).toMatch(/line 3\b/);
    expect(failures[2]).toMatch(/^WAL replay failed: SyntaxError: .*line 5\b/);
    const aside = path.join(home.workspace().folder, 'wal-damaged.ndjson');
    expect(fs.readFileSync(aside, 'utf8').split('\n').filter(Boolean)).toEqual([garbage, changed, torn]);
    expect(fs.statSync(home.workspace().log).size).toBe(0);
  });

  test('a last line that is whole but for its newline is replayed', async () => {
    const home = Home.open();
    const { lines, ids } = await linesOf(home, ['one', 'two']);
    fs.writeFileSync(home.workspace().log, lines.join('\n'));
    await home.start();
    expect(eventIds(home)).toEqual(new Set(ids));
    expect(replayFailures(home)).toEqual([]);
  });

  test('replayed twice is stored once', async () => {
    const home = Home.open();
    const { lines, ids } = await linesOf(home, ['one', 'two']);
    const text = `${[...lines, ...lines].join('\n')}\n`;
    for (let time = 0; time < 2; time += 1) {
      fs.writeFileSync(home.workspace().log, text);
      await end(await home.start(), 'SIGTERM');
    }
    expect(home.rows('SELECT id FROM events ORDER BY seq').map(({ id }) => id)).toEqual(ids);
  });

  test('a log of nothing but damage does not keep the daemon from starting', async () => {
    const home = Home.open();
    await home.start();
    await home.memd(['stop']);
    fs.writeFileSync(home.workspace().log, Buffer.from([0, 255, 10, 123, 10, 10, 254, 254]));
    await home.start();
    expect(replayFailures(home).length).toBeGreaterThan(0);
    expect(await home.capture(call('after'))).toMatch(/^ev_/);
  });

  test('it is empty once everything in it is committed', async () => {
    const home = Home.open();
    await home.start();
    await Promise.all(Array.from({ length: 50 }, (_, at) => home.capture(call(`c${at}`))));
    await until('an empty log', () => fs.statSync(home.workspace().log).size === 0);
    expect(eventIds(home).size).toBe(50);
  });
});
