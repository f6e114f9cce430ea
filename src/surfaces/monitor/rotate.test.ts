import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { restore, rotate } from './health-log.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-monitor-'));
  file = path.join(folder, 'health.ndjson');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** What is in the folder. */
function files(): Record<string, string> {
  const names = fs.readdirSync(folder);
  return Object.fromEntries(names.map((name) => [name, fs.readFileSync(path.join(folder, name), 'utf8')]));
}

test('a full file takes the place of the older one', () => {
  fs.writeFileSync(file, '0123456789');
  fs.writeFileSync(`${file}.1`, 'older');
  rotate(file, 10);
  expect(files()).toEqual({ 'health.ndjson.1': '0123456789' });
});

test('who comes late leaves the new file and the older one as they are', () => {
  fs.writeFileSync(file, 'new');
  fs.writeFileSync(`${file}.1`, '0123456789');
  rotate(file, 10);
  expect(files()).toEqual({ 'health.ndjson': 'new', 'health.ndjson.1': '0123456789' });
});

test('who comes before there is a new file does nothing', () => {
  rotate(file, 10);
  expect(files()).toEqual({});
});

test('what goes back goes behind a file that was begun meanwhile', () => {
  fs.writeFileSync(file, 'begun\n');
  fs.writeFileSync(`${file}.7.tmp`, 'taken\n');
  restore(`${file}.7.tmp`, file);
  expect(files()).toEqual({ 'health.ndjson': 'begun\ntaken\n' });
});
