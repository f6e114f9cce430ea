import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { closeHomes, Home } from '../support/home.ts';
import { end } from '../support/processes.ts';
import { until } from '../support/until.ts';
import { Daemon } from './daemon.ts';

/** Whether this system lets a test trace its own children. */
const canTrace = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0;
if (!canTrace) console.log('strace is not here, or may not trace: its tests are skipped');

afterEach(closeHomes);

/** The tracer ends with what it traces. */
async function stop(home: Home, daemon: Daemon): Promise<void> {
  await end(home.pid(), 'SIGTERM');
  await daemon.gone();
}

/** Runs a daemon under strace; its system calls are in `trace`. */
async function startTraced(
  home: Home,
  options: readonly string[],
): Promise<{ daemon: Daemon; trace: string }> {
  const trace = path.join(home.folder, 'trace');
  const daemon = Daemon.spawn(home, '', ['strace', '-f', '-qq', '-y', '-o', trace, ...options]);
  expect(await daemon.ready()).toBe(true);
  return { daemon, trace };
}

const capture = (home: Home, name: string) =>
  home.ask({ op: 'capture', tool: 'Read', input: {}, output: `text of ${name}`, toolUseId: name });

describe.skipIf(!canTrace)('under strace', () => {
  test('a fdatasync that the kernel fails is not acknowledged; later ones are', async () => {
    const home = Home.open();
    // The first is of the log's opening; only those of the log's own file are counted.
    const { daemon } = await startTraced(home, [
      '-P',
      home.workspace().log,
      '-e',
      'inject=fdatasync:error=EIO:when=3',
    ]);
    expect(await capture(home, 'one')).toMatchObject({ ok: true });
    expect(await capture(home, 'two')).toMatchObject({
      ok: false,
      error: { code: 'unavailable', message: expect.stringMatching(/EIO/) },
    });
    expect(await capture(home, 'three')).toMatchObject({ ok: true });
    await until('the commits', () => home.rows('SELECT 1 FROM events').length === 2);
    expect(home.rows('SELECT tool_use_id FROM events ORDER BY seq')).toEqual([
      { tool_use_id: 'one' },
      { tool_use_id: 'three' },
    ]);
    await stop(home, daemon);
  });

  test('a write that the kernel refuses for want of room is not acknowledged; later ones are', async () => {
    const home = Home.open();
    const { daemon } = await startTraced(home, [
      '-P',
      home.workspace().log,
      '-e',
      'inject=pwrite64:error=ENOSPC:when=2',
    ]);
    expect(await capture(home, 'one')).toMatchObject({ ok: true });
    expect(await capture(home, 'two')).toMatchObject({ ok: false });
    expect(await capture(home, 'three')).toMatchObject({ ok: true });
    await stop(home, daemon);
  });

  test('the log is synced before the answer, and emptied only when the database is synced', async () => {
    const home = Home.open();
    const { daemon, trace } = await startTraced(home, [
      '-e',
      'trace=pwrite64,write,writev,fdatasync,fsync,ftruncate',
    ]);
    for (let at = 0; at < 10; at += 1) {
      expect(await capture(home, `call-${at}`)).toMatchObject({ ok: true });
      await until('an empty log', () => fs.statSync(home.workspace().log).size === 0);
    }
    await stop(home, daemon);
    const { answers, emptied } = judge(fs.readFileSync(trace, 'utf8').split('\n'));
    expect(answers).toBe(10);
    expect(emptied).toBeGreaterThanOrEqual(10);
  });
});

/** Follows the calls in their order; @throws Error at one that comes too early */
function judge(lines: readonly string[]): { answers: number; emptied: number } {
  let logIsSynced = true;
  let databaseIsSynced = true;
  let answers = 0;
  let emptied = 0;
  for (const line of finished(lines)) {
    const isLog = /\/wal\.ndjson>/.test(line);
    if (/ pwrite64\(/.test(line) && isLog) logIsSynced = false;
    else if (/ (fdatasync|fsync)\(/.test(line) && isLog) logIsSynced = true;
    else if (/ pwrite64\(.*\/db\.sqlite-wal>/.test(line)) databaseIsSynced = false;
    else if (/ (fdatasync|fsync)\(.*\/db\.sqlite-wal>/.test(line)) databaseIsSynced = true;
    else if (/ ftruncate\(.*, 0(?:\)| <unfinished)/.test(line) && isLog) {
      if (!databaseIsSynced) throw new Error('the log was emptied before the database was synced');
      emptied += 1;
    } else if (/ writev?\(.*\\"id\\":\\"ev_/.test(line) || / writev?\(.*"id":"ev_/.test(line)) {
      if (!logIsSynced) throw new Error('an answer went out before its line was synced');
      answers += 1;
    }
  }
  return { answers, emptied };
}

/** Calls at the time that counts: what makes something unsafe when it begins, what makes it safe when it has ended. */
function finished(lines: readonly string[]): string[] {
  const begun = new Map<string, string>();
  return lines.flatMap((line) => {
    const [, pid = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    const isSync = /^(fdatasync|fsync)\(/.test(rest);
    if (rest.endsWith('<unfinished ...>')) {
      begun.set(pid, rest);
      return isSync ? [] : [` ${rest}`];
    }
    const resumed = /^<\.\.\. (\w+) resumed>/.exec(rest)?.[1];
    if (resumed === undefined) return [` ${rest}`];
    return /^(fdatasync|fsync)$/.test(resumed) ? [` ${begun.get(pid) ?? ''}`] : [];
  });
}
