import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { decodeRecord } from '#capture/log';
import type { ToolEvent } from '#core/event';
import { textCharsMax } from '#core/limits';
import { drainSpool } from './drain-spool.ts';
import { readCapture } from './read-capture.ts';
import { spool } from './spool.ts';

let folder = '';
let file = '';
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-spool-'));
  file = path.join(folder, 'spool.ndjson');
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(folder, { recursive: true, force: true });
});

const context = { receivedAt: '2026-01-01T12:00:00.000Z', cwd: '/p' };

const keep = (id: string): string =>
  spool(
    file,
    { tool: 'Read', input: { file_path: `${id}.ts` }, output: id, toolUseId: id },
    { receivedAt: '2026-01-01T12:00:00.000Z', cwd: '/p' },
  );

async function drained(damages: readonly unknown[] = []): Promise<string[]> {
  const taken: ToolEvent[] = [];
  const commit = async (events: readonly ToolEvent[]): Promise<void> => void taken.push(...events);
  const reported: string[] = [];
  await drainSpool(file, commit, (message) => reported.push(message));
  expect(reported).toEqual(damages);
  return taken.map(({ toolUseId }) => toolUseId ?? '');
}

test('what is kept is taken in, in its order, and closed to others meanwhile', async () => {
  expect(['a', 'b'].map(keep)).toEqual(['spooled', 'spooled']);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  expect(await drained()).toEqual(['a', 'b']);
  expect(fs.readdirSync(folder)).toEqual([]);
});

test('a long text keeps beginning and end within the limits of every event, and no half of a token', () => {
  const token = `ghp_${'a1B2c3D4e5F6g7H8i9'.repeat(2)}`;
  const middle = `${'word '.repeat(textCharsMax)} ${token} ${'word '.repeat(textCharsMax)}`;
  const output = `begin ${middle} end`;
  expect(spool(file, { tool: 'Read', input: {}, output, toolUseId: 'long' }, context)).toBe('spooled');
  const kept = fs.readFileSync(file, 'utf8');
  expect(kept).toMatch(/"output":"begin .*characters cut by memd.* end"/);
  expect(kept).not.toContain('a1B2c3D4');
});

test('a call by the spool is the call by the socket, byte for byte, also a large one without an id or a time', () => {
  const payload = { tool: 'Bash', input: { command: 'make' }, output: 'line of output\n'.repeat(200_000) };
  const hook = { ...context, attempt: '7.1' };
  expect(spool(file, payload, hook)).toBe('spooled');
  const late = { op: 'capture', payload, ...hook, receivedAt: '2026-01-01T12:00:09.000Z' };
  const read = readCapture(late);
  const [line = ''] = fs.readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const spooled = decodeRecord(line);
  if (read.kind !== 'event' || !('event' in spooled)) throw new Error('not an event');
  const { ts: _, ...event } = read.event;
  expect(spooled.event).toMatchObject(event);
});

test('a line that was cut off in the middle takes none of those behind it along', async () => {
  keep('before');
  fs.appendFileSync(file, fs.readFileSync(file, 'utf8').slice(0, 60));
  keep('behind');
  expect(await drained([expect.stringContaining('WAL replay failed: SyntaxError')])).toEqual([
    'before',
    'behind',
  ]);
});

test('a write of which the system takes a part only is gone on with', async () => {
  const write = fs.writeSync;
  vi.spyOn(fs, 'writeSync').mockImplementationOnce((fd: number, bytes: unknown) =>
    write(fd, String(bytes).slice(0, 20)),
  );
  expect(keep('a')).toBe('spooled');
  expect(await drained()).toEqual(['a']);
});

test('a spool that is taken in between its opening and the write costs nothing', async () => {
  keep('before');
  const write = fs.writeSync;
  // What a daemon does that starts at this very moment, as seen by the hook.
  vi.spyOn(fs, 'writeSync').mockImplementationOnce((fd: number, line: unknown) => {
    fs.rmSync(file);
    return write(fd, String(line));
  });
  expect(keep('meanwhile')).toBe('spooled');
  expect(await drained()).toEqual(['meanwhile']);
});

test('also where another hook has begun a new one by then', async () => {
  const write = fs.writeSync;
  vi.spyOn(fs, 'writeSync').mockImplementationOnce((fd: number, line: unknown) => {
    fs.renameSync(file, `${file}.elsewhere`);
    keep('next');
    return write(fd, String(line));
  });
  expect(keep('meanwhile')).toBe('spooled');
  expect(await drained()).toEqual(['next', 'meanwhile']);
});
