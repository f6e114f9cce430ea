import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ToolEvent } from '../../core/event/index.ts';
import { spoolTextCharsMax } from '../../core/limits.ts';
import { drainSpool } from './drain-spool.ts';
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

test('a text that is too long for the hook leaves no half of a token behind', () => {
  const token = `ghp_${'a1B2c3D4e5F6g7H8i9'.repeat(2)}`;
  const words = 'word '.repeat(spoolTextCharsMax);
  const output = `${words.slice(0, spoolTextCharsMax - 25)} ${token} behind`;
  expect(
    spool(file, { tool: 'Read', input: {}, output }, { receivedAt: '2026-01-01T12:00:00.000Z', cwd: '/p' }),
  ).toBe('spooled');
  expect(fs.readFileSync(file, 'utf8')).toContain('the rest was cut by memd');
  expect(fs.readFileSync(file, 'utf8')).not.toContain('ghp_');
});

test('a value that goes on behind the cut leaves nothing of itself behind', () => {
  const value = 'a1B2c3D4e5F6g7H8i9'.repeat(spoolTextCharsMax / 10);
  const texts = [
    `export PRIVATE_KEY='${value}'`,
    `<password>${value}</password>`,
    `eyJ${value}.eyJ${value}.x`,
  ];
  for (const output of texts) {
    expect(spool(file, { tool: 'Read', input: {}, output }, context)).toBe('spooled');
  }
  expect(fs.readFileSync(file, 'utf8')).not.toContain('a1B2c3D4');
});

test('what there was no time to redact is left out, and the call says so', () => {
  let asked = 0;
  const secrets = ['one', 'two', 'three'].map((word) => ({ password: `${word}-x1y2z3` }));
  const payload = { tool: 'Read', input: { file_path: 'a.ts' }, output: secrets, toolUseId: 'a' };
  expect(spool(file, payload, context, () => ++asked > 5)).toBe('spooled');
  const kept = fs.readFileSync(file, 'utf8');
  expect(kept).toContain('a.ts');
  expect(kept).toContain('no time to redact');
  expect(kept).not.toContain('x1y2z3');
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
