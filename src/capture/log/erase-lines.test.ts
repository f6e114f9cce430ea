import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ToolEvent } from '#core/event';
import { sampleEvent } from '../../../test/support/log/event.ts';
import { eraseLines, goneFromLog } from './erase-lines.ts';
import { encodeRecord } from './record.ts';
import { replayLog } from './replay.ts';
import { WriteAheadLog } from './write-ahead-log.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-erase-'));
  file = path.join(folder, 'spool.ndjson');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const line = (id: string): string => encodeRecord(sampleEvent(id));

describe('erasing lines in place', () => {
  test('leaves no byte of them, and the others where they were', async () => {
    fs.writeFileSync(file, line('a') + line('bb') + line('c'));
    expect(eraseLines(file, (text) => text.includes('"bb"'))).toBe(1);
    const [a, blank, c] = fs.readFileSync(file, 'utf8').split('\n');
    expect([`${a}\n`, `${c}\n`]).toEqual([line('a'), line('c')]);
    expect(blank).toBe(' '.repeat(Buffer.byteLength(line('bb')) - 1));
    const ids: string[] = [];
    const commit = async (events: readonly ToolEvent[]): Promise<void> =>
      void ids.push(...events.map(({ id }) => id));
    expect(await replayLog(file, commit, () => {})).toEqual({ events: 2, damaged: 0 });
    expect(ids).toEqual(['a', 'c']);
  });

  test('reaches a last line without its newline, and bytes that are no text', () => {
    const bytes = Buffer.concat([Buffer.from('x\n'), Buffer.from([0xff, 0xfe, 0x61]), Buffer.from('\nlast')]);
    fs.writeFileSync(file, bytes);
    expect(eraseLines(file, (text) => text !== 'x')).toBe(2);
    expect(fs.readFileSync(file, 'utf8')).toBe('x\n   \n    ');
  });

  test('disturbs nobody who adds to the file or has renamed it', () => {
    fs.writeFileSync(file, line('a'));
    const adding = fs.openSync(file, 'a');
    expect(eraseLines(file, () => true)).toBe(1);
    fs.writeSync(adding, line('b'));
    fs.closeSync(adding);
    expect(fs.readFileSync(file, 'utf8').trimStart()).toBe(line('b'));
    expect(eraseLines(path.join(folder, 'nowhere'), () => true)).toBe(0);
  });
});

describe('a committed event', () => {
  test('is gone from the log soon after its commit', async () => {
    const log = await WriteAheadLog.openEmpty(file);
    const end = await log.append(sampleEvent('a'));
    const gone = goneFromLog(file, '"a"');
    log.committed(end);
    expect(await gone).toBe(true);
    expect(await goneFromLog(path.join(folder, 'nowhere'), '"a"')).toBe(true);
    await log.close();
  });

  test('is gone too from a log that is never idle', async () => {
    const log = await WriteAheadLog.openEmpty(file);
    let isOver = false;
    let end = await log.append(sampleEvent('a'));
    // Each line is asked for before the one before it is committed: the log is never all committed.
    const busy = (async () => {
      for (let at = 0; !isOver; at += 1) {
        const next = log.append(sampleEvent(`busy-${at}`));
        log.committed(end);
        end = await next;
      }
    })();
    expect(fs.readFileSync(file, 'utf8')).toContain('"a"');
    const isGone = await goneFromLog(file, '"a"');
    isOver = true;
    await busy;
    expect(isGone).toBe(true);
    await log.close();
  }, 30_000);
});
