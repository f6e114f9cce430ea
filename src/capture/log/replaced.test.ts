import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ToolEvent } from '#core/event';
import { sampleEvent } from '../../../test/support/log/event.ts';
import { replacedLogs } from './files.ts';
import { encodeRecord } from './record.ts';
import { replayLog } from './replay.ts';
import { WriteAheadLog } from './write-ahead-log.ts';

let folder: string;
let file: string;
let log: WriteAheadLog;
let reports: string[];

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-replaced-'));
  file = path.join(folder, 'wal.ndjson');
  reports = [];
  log = await WriteAheadLog.openEmpty(file, (message) => reports.push(message));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** The ids that a next start finds in a file, and how many of its lines are damaged. */
async function found(at: string): Promise<{ ids: string[]; damaged: number }> {
  const ids: string[] = [];
  const commit = async (events: readonly ToolEvent[]): Promise<void> =>
    void ids.push(...events.map(({ id }) => id));
  const { damaged } = await replayLog(at, commit, () => {});
  return { ids, damaged };
}

const set = (ids: readonly string[]): string[] => [...new Set(ids)].sort();

/** What somebody does to the file; `taken` are the lines that he puts there and that are none of the log's. */
const deeds: readonly (readonly [name: string, deed: () => void, taken: readonly string[]])[] = [
  ['removed', () => fs.rmSync(file), []],
  ['moved away', () => fs.renameSync(file, `${file}.1`), []],
  ['cut to nothing', () => fs.truncateSync(file, 0), []],
  ['cut in the middle of a line', () => fs.truncateSync(file, fs.statSync(file).size - 7), []],
  ['copied and cut, as logrotate does', copyTruncate, []],
  ['edited by a copy that takes its place', () => exchange(fs.readFileSync(file)), []],
  ['replaced by an empty file', () => exchange(Buffer.alloc(0)), []],
  ['replaced by an older log', () => exchange(Buffer.from(encodeRecord(sampleEvent('old')))), ['old']],
  ['overwritten with an older log', () => fs.writeFileSync(file, encodeRecord(sampleEvent('old'))), ['old']],
  ['added to', () => fs.appendFileSync(file, encodeRecord(sampleEvent('old'))), ['old']],
];

function exchange(bytes: Buffer): void {
  fs.writeFileSync(`${file}.sed`, bytes, { mode: 0o644 });
  fs.renameSync(`${file}.sed`, file);
}

function copyTruncate(): void {
  fs.copyFileSync(file, `${file}.1`);
  fs.truncateSync(file, 0);
}

describe('a log that is under a daemon', () => {
  test.each(deeds)(
    '%s: what is acknowledged afterwards and what waits is in the new file',
    async (_name, deed, taken) => {
      const ids = ['a', 'b', 'c'];
      const ends = await Promise.all(ids.map((id) => log.append(sampleEvent(id))));
      log.committed(ends[0] ?? 0);
      deed();
      await Promise.all(['d', 'e'].map((id) => log.append(sampleEvent(id))));
      expect(await found(file)).toEqual({ ids: ['b', 'c', 'd', 'e'], damaged: 0 });
      expect(fs.statSync(file).mode & 0o777).toBe(0o600);
      expect(reports).toHaveLength(1);
      // What he has put there waits to be taken in; it is his own or a copy.
      const asides = await Promise.all(replacedLogs(file).map(found));
      const others = set(asides.flatMap(({ ids: some }) => some)).filter((id) => !/^[a-e]$/.test(id));
      expect(others).toEqual(taken);
      // Offsets go on, and the file is emptied when all is committed.
      const end = await log.append(sampleEvent('f'));
      expect(reports).toHaveLength(1);
      log.committed(end);
      await log.close();
      expect(fs.readFileSync(file, 'utf8')).toBe('');
    },
  );

  test.each(deeds)('%s: what waits is there again though nothing more is captured', async (_name, deed) => {
    await log.append(sampleEvent('a'));
    deed();
    await expect.poll(async () => fs.existsSync(file) && (await found(file)).ids).toEqual(['a']);
    await log.close();
    expect((await found(file)).ids).toEqual(['a']);
  });

  test.each(deeds)(
    '%s: what somebody has put there is not emptied with what is committed',
    async (_name, deed, taken) => {
      const end = await log.append(sampleEvent('a'));
      deed();
      log.committed(end);
      await log.close();
      expect(fs.readFileSync(file, 'utf8')).toBe('');
      const asides = await Promise.all(replacedLogs(file).map(found));
      expect(asides.flatMap(({ ids }) => ids).filter((id) => id !== 'a')).toEqual(taken);
    },
  );

  test('removed before it closes: what waits is there for the next start', async () => {
    await log.append(sampleEvent('a'));
    fs.rmSync(file);
    await log.close();
    expect((await found(file)).ids).toEqual(['a']);
  });

  test('replaced again and again while captures come: each that is acknowledged is there at the end', async () => {
    const acknowledged: string[] = [];
    for (let at = 0; at < 60; at += 1) {
      const appended = Array.from({ length: 5 }, (_, n) => `e${at}-${n}`).map(async (id) => {
        await log.append(sampleEvent(id));
        acknowledged.push(id);
      });
      const [, deed = () => {}] = deeds[at % deeds.length] ?? [];
      if (fs.existsSync(file)) deed();
      await Promise.allSettled(appended);
    }
    await log.close();
    const ids = (await found(file)).ids;
    expect(set(ids)).toEqual(set(acknowledged));
    expect(acknowledged).toHaveLength(300);
  });

  test('replaced by a link, or what is no file: nothing is written there, captures are refused until it is gone', async () => {
    const outside = path.join(folder, 'outside');
    for (const [place, clear] of [
      [() => fs.symlinkSync(outside, file), () => fs.rmSync(file)],
      [() => fs.mkdirSync(file), () => fs.rmdirSync(file)],
    ] as const) {
      fs.writeFileSync(outside, 'mine');
      const end = await log.append(sampleEvent('a'));
      fs.rmSync(file);
      place();
      await expect(log.append(sampleEvent('b'))).rejects.toMatchObject({ code: 'unsafe_file' });
      expect(fs.readFileSync(outside, 'utf8')).toBe('mine');
      clear();
      await log.append(sampleEvent('c'));
      expect((await found(file)).ids).toEqual(['a', 'c']);
      log.committed((await log.append(sampleEvent('d'))) ?? end);
    }
    await log.close();
  });

  test.each<readonly [name: string, take: () => void, clear: () => void]>([
    ['a link', () => fs.symlinkSync(path.join(folder, 'outside'), file), () => fs.rmSync(file)],
    ['a folder', () => fs.mkdirSync(file), () => fs.rmdirSync(file)],
    ['a pipe', () => execFileSync('mkfifo', [file]), () => fs.rmSync(file)],
    ['nothing, and none can be made', () => fs.mkdirSync(`${file}.next`), () => fs.rmdirSync(`${file}.next`)],
  ])(
    'its path blocked by %s: uncommitted lines are in a backup file until the log works again',
    async (_, take, clear) => {
      await log.append(sampleEvent('a'));
      await log.append(sampleEvent('b'));
      fs.rmSync(file);
      take();
      // Nothing more is captured: a look finds it. One more capture is refused, and writes nothing again.
      await expect.poll(() => replacedLogs(file)).toHaveLength(1);
      await expect(log.append(sampleEvent('c'))).rejects.toThrow();
      const [backup = '', ...more] = replacedLogs(file);
      expect(more).toEqual([]);
      expect((await found(backup)).ids).toEqual(['a', 'b']);
      clear();
      await log.append(sampleEvent('d'));
      expect((await found(file)).ids).toEqual(['a', 'b', 'd']);
      expect(replacedLogs(file)).toEqual([]);
      await log.close();
    },
  );

  test('cut while an older memd wrote to it: the hole costs no line behind it', async () => {
    await log.close();
    fs.writeFileSync(file, Buffer.concat([Buffer.alloc(5_000), Buffer.from(encodeRecord(sampleEvent('z')))]));
    expect(await found(file)).toEqual({ ids: ['z'], damaged: 0 });
  });
});
