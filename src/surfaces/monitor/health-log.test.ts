import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { appendHealth } from './health-log.ts';

let outer: string;
let folder: string;
let file: string;

beforeEach(() => {
  outer = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-monitor-'));
  folder = path.join(outer, 'space');
  file = path.join(folder, 'health.ndjson');
});
afterEach(() => fs.rmSync(outer, { recursive: true, force: true }));

const read = (name = file): string => fs.readFileSync(name, 'utf8');
const modeOf = (name: string): string => (fs.statSync(name).mode & 0o777).toString(8);
const append = (line: string, bytesMax?: number): void => appendHealth([outer, folder], file, line, bytesMax);

describe('the file', () => {
  test('is made with its folder, closed to others whatever the umask, and appended to', () => {
    const umask = process.umask(0);
    try {
      append('{"n":1}');
    } finally {
      process.umask(umask);
    }
    append('{"n":2}');
    expect(read()).toBe('{"n":1}\n{"n":2}\n');
    expect([modeOf(folder), modeOf(file)]).toEqual(['700', '600']);
  });

  test('comes again when somebody has removed it between two lines', () => {
    append('1');
    fs.rmSync(folder, { recursive: true });
    append('2');
    expect(read()).toBe('2\n');
  });

  test('that ends within a line gets its end first', () => {
    append('1');
    fs.appendFileSync(file, '{"torn');
    append('2');
    expect(read()).toBe('1\n{"torn\n2\n');
  });
});

describe('what is not safe to write to is refused by name and left as it is', () => {
  beforeEach(() => fs.mkdirSync(folder, { mode: 0o700 }));

  test('a link, also one that leads nowhere', () => {
    const target = path.join(outer, 'target');
    fs.symlinkSync(target, file);
    expect(() => append('1')).toThrow(`${file} is a symbolic link`);
    expect(fs.existsSync(target)).toBe(false);
    fs.writeFileSync(target, 'mine', { mode: 0o600 });
    expect(() => append('1')).toThrow(expect.objectContaining({ code: 'unsafe_file' }));
    expect(read(target)).toBe('mine');
  });

  test('a file or folder that others can read', () => {
    fs.writeFileSync(file, '', { mode: 0o600 });
    fs.chmodSync(file, 0o644);
    expect(() => append('1')).toThrow(`${file} is open to other users (mode 0644)`);
    fs.chmodSync(file, 0o600);
    fs.chmodSync(folder, 0o750);
    expect(() => append('1')).toThrow(`${folder} is open to other users (mode 0750)`);
    expect(read()).toBe('');
  });

  test('a folder, or a pipe that nobody reads', () => {
    fs.mkdirSync(file, { mode: 0o700 });
    expect(() => append('1')).toThrow(`${file} is not a file`);
    fs.rmdirSync(file);
    execFileSync('mkfifo', ['-m', '600', file]);
    expect(() => append('1')).toThrow(`${file} is not a file`);
  });
});

describe('a full file', () => {
  test('becomes the older one, in the place of the one before', () => {
    for (let n = 0; n < 7; n += 1) append(`line ${n}`, 10);
    expect([read(`${file}.1`), read()]).toEqual(['line 4\nline 5\n', 'line 6\n']);
    expect(fs.readdirSync(folder).sort()).toEqual(['health.ndjson', 'health.ndjson.1']);
    expect(modeOf(`${file}.1`)).toBe('600');
  });

  test('stays where it is, and is not written, when it cannot become that', () => {
    append('first', 5);
    fs.mkdirSync(`${file}.1`);
    expect(() => append('2', 5)).toThrow(expect.objectContaining({ code: 'not_written' }));
    expect(fs.readdirSync(folder).sort()).toEqual(['health.ndjson', 'health.ndjson.1']);
    expect(read()).toBe('first\n');
    fs.rmdirSync(`${file}.1`);
    append('2', 5);
    expect([read(`${file}.1`), read()]).toEqual(['first\n', '2\n']);
  });

  test('of many processes at once stays whole lines, and the older one is always a full one', async () => {
    const script = path.join(outer, 'appender.mjs');
    await build({
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: script,
      logLevel: 'error',
      stdin: { resolveDir: import.meta.dirname, loader: 'ts', contents: appender },
    });
    const run = promisify(execFile);
    const bytesMax = 4_000;
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    await Promise.all(
      names.map((name) => run(process.execPath, [script, outer, folder, file, String(bytesMax), name])),
    );
    expect(fs.readdirSync(folder).sort()).toEqual(['health.ndjson', 'health.ndjson.1']);
    const older = read(`${file}.1`);
    expect(older.length).toBeGreaterThanOrEqual(bytesMax);
    const lines = `${older}${read()}`.split('\n');
    expect(lines.pop()).toBe('');
    const torn = lines.filter((line) => !/^\{"name":"[a-f]","n":\d+,"rest":"x{40}"\}$/.test(line));
    expect(torn).toEqual([]);
    expect(new Set(lines).size).toBe(lines.length);
  });
});

/** Appends 400 lines with the name of their writer. */
const appender = `
  import { appendHealth } from './health-log.ts';
  const [outer, folder, file, bytesMax, name] = process.argv.slice(2);
  for (let n = 0; n < 400; n += 1)
    appendHealth([outer, folder], file, JSON.stringify({ name, n, rest: 'x'.repeat(40) }), Number(bytesMax));
`;
