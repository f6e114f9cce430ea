import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ToolEvent } from '#core/event';
import { logCommittedBytesMax } from '#core/limits';
import { sampleEvent } from '../../../test/support/log/event.ts';
import { encodeRecord } from './record.ts';
import { replayLog } from './replay.ts';
import { WriteAheadLog } from './write-ahead-log.ts';

let folder: string;
let file: string;
let log: WriteAheadLog;

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-log-'));
  file = path.join(folder, 'wal.ndjson');
  log = await WriteAheadLog.openEmpty(file);
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const line = (id: string): string => encodeRecord(sampleEvent(id));
const content = (): string => fs.readFileSync(file, 'utf8');

async function stored(): Promise<string[]> {
  const ids: string[] = [];
  const commit = async (events: readonly ToolEvent[]): Promise<void> => {
    ids.push(...events.map((event) => event.id));
  };
  const { damaged } = await replayLog(file, commit, () => {});
  expect(damaged).toBe(0);
  return ids;
}

/**
 * Runs a log in a process whose files may not pass 64 KiB: the kernel refuses the rest of a write as a full disk
 * does (setrlimit(2), RLIMIT_FSIZE). The first refused append is the one that ends behind that.
 */
function underFileLimit(at: string): string {
  const script = path.join(at, 'limited.mjs');
  const here = fileURLToPath(new URL('.', import.meta.url));
  const source = `
    import fs from 'node:fs';
    import { WriteAheadLog } from './write-ahead-log.ts';
    import { replayLog } from './replay.ts';
    import { sampleEvent } from '../../../test/support/log/event.ts';
    const file = process.argv[2];
    const log = await WriteAheadLog.openEmpty(file);
    const all = (...events) => Promise.allSettled(events.map((event) => log.append(event)));
    const large = { output: 'x'.repeat(60_000) };
    const [small] = await all(sampleEvent('small'));
    const sizeBefore = fs.statSync(file).size;
    const tooLarge = await all(sampleEvent('large', large), sampleEvent('large too', large));
    const sizeAfter = fs.statSync(file).size;
    const [again] = await all(sampleEvent('again'));
    await log.close();
    const ids = [];
    await replayLog(file, async (events) => void ids.push(...events.map((event) => event.id)), (message) => ids.push(message));
    console.log(JSON.stringify({
      small: small.status, again: again.status, sizeBefore, sizeAfter, ids,
      tooLarge: tooLarge.map((one) => one.status), errors: String(tooLarge[0].reason),
    }));`;
  buildSync({
    stdin: { contents: source, resolveDir: here, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: script,
  });
  // The shell's `ulimit -f` counts in 1,024 bytes in bash and 512 in others.
  const limited = `trap '' XFSZ; ulimit -f 64; exec "$0" "$1" "$2"`;
  return execFileSync('bash', ['-c', limited, process.execPath, script, path.join(at, 'limited.ndjson')], {
    encoding: 'utf8',
  });
}

describe('WriteAheadLog', () => {
  test('opens an empty private file, whatever was there', async () => {
    await log.close();
    fs.writeFileSync(file, 'old');
    fs.chmodSync(file, 0o644);
    fs.writeFileSync(`${file}.next`, 'left by a crash');
    log = await WriteAheadLog.openEmpty(file);
    expect(content()).toBe('');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(folder)).toEqual(['wal.ndjson']);
    await log.close();
  });

  test('has the line in the file when an append settles, and answers the offset behind it', async () => {
    expect(await log.append(sampleEvent('a'))).toBe(Buffer.byteLength(line('a')));
    expect(content()).toBe(line('a'));
    expect(await log.append(sampleEvent('b'))).toBe(Buffer.byteLength(line('a') + line('b')));
    expect(content()).toBe(line('a') + line('b'));
    expect(log.bytes).toBe(Buffer.byteLength(content()));
    await log.close();
  });

  test('keeps concurrent appends whole, in order and each with its own offset', async () => {
    const ids = Array.from({ length: 500 }, (_, at) => `e${at}`);
    const ends = await Promise.all(ids.map((id) => log.append(sampleEvent(id))));
    let end = 0;
    const expected = ids.map((id) => (end += Buffer.byteLength(line(id))));
    expect(ends).toEqual(expected);
    expect(await stored()).toEqual(ids);
    await log.close();
  });

  test('writes groups that are larger than one batch', async () => {
    const big = 'x'.repeat(1_500_000);
    const ids = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(ids.map((id) => log.append(sampleEvent(id, { output: big }))));
    expect(await stored()).toEqual(ids);
    await log.close();
  });

  test('is emptied only when all in it is committed', async () => {
    const first = await log.append(sampleEvent('a'));
    const second = await log.append(sampleEvent('b'));
    log.committed(first);
    const third = log.append(sampleEvent('c'));
    log.committed(second);
    expect(await third).toBeGreaterThan(second);
    expect(await stored()).toEqual(['a', 'b', 'c']);
    log.committed(await third);
    await log.close();
    expect(content()).toBe('');
  });

  test('counts on after it was emptied, and takes an old commit for no new one', async () => {
    const first = await log.append(sampleEvent('a'));
    log.committed(first);
    const second = await log.append(sampleEvent('b'));
    expect(second).toBe(first + Buffer.byteLength(line('b')));
    log.committed(first);
    await log.close();
    expect((await stored()).at(-1)).toBe('b');
  });

  test('settles what waits before it closes', async () => {
    const appended = [log.append(sampleEvent('a')), log.append(sampleEvent('b'))];
    await log.close();
    expect(await Promise.all(appended)).toHaveLength(2);
    expect(await stored()).toEqual(['a', 'b']);
  });

  test('rejects what cannot be written: it is not in the log', async () => {
    await log.append(sampleEvent('a'));
    await log.close();
    await expect(log.append(sampleEvent('b'))).rejects.toThrow();
    expect(await stored()).toEqual(['a']);
    expect(log.bytes).toBe(Buffer.byteLength(line('a')));
  });

  test('cuts back what a full disk let through, and goes on when there is room again', async () => {
    await log.close();
    const result = JSON.parse(underFileLimit(folder));
    expect(result.small).toEqual('fulfilled');
    expect(result.tooLarge).toEqual(['rejected', 'rejected']);
    expect(result.errors).toMatch(/EFBIG/);
    expect(result.sizeAfter).toBe(result.sizeBefore);
    expect(result.again).toEqual('fulfilled');
    expect(result.ids).toEqual(['small', 'again']);
  });

  test('drops its committed front while it is never idle, and loses nothing behind it', async () => {
    const output = 'y'.repeat(1_000_000);
    const ends: number[] = [];
    let largest = 0;
    const count = 60;
    // Each append is asked for before the one before it is committed: the log is never all committed.
    let next = log.append(sampleEvent('e0', { output }));
    for (let at = 1; at <= count; at += 1) {
      const current = next;
      next = current.then(() => log.append(sampleEvent(`e${at}`, { output })));
      ends.push(await current);
      await next;
      log.committed(ends.at(-1) ?? 0);
      largest = Math.max(largest, fs.statSync(file).size);
    }
    expect(largest).toBeLessThan(logCommittedBytesMax * 2);
    expect((await stored()).at(-1)).toBe(`e${count}`);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    await log.close();
    expect(fs.readdirSync(folder)).toEqual(['wal.ndjson']);
  });

  test('goes on when its front cannot be dropped', async () => {
    const output = 'z'.repeat(9_000_000);
    await log.append(sampleEvent('a', { output }));
    const second = await log.append(sampleEvent('b', { output }));
    // No file can be made where a folder stands.
    fs.mkdirSync(`${file}.next`);
    log.committed(second);
    await log.append(sampleEvent('c'));
    expect((await stored()).at(-1)).toBe('c');
    await log.close();
  });

  test('keeps a record readable that was appended after the front was dropped', async () => {
    const output = 'z'.repeat(9_000_000);
    const first = await log.append(sampleEvent('a', { output }));
    const second = await log.append(sampleEvent('b', { output }));
    const third = log.append(sampleEvent('c'));
    log.committed(second);
    await third;
    const fourth = await log.append(sampleEvent('d'));
    expect(fourth).toBe(second + Buffer.byteLength(line('c') + line('d')));
    expect(first).toBeLessThan(second);
    expect(await stored()).toEqual(['c', 'd']);
    await log.close();
  });
});
