import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Tail } from './tail.ts';

let folder: string;
let file: string;
const opened: Tail[] = [];

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-tail-'));
  file = path.join(folder, 'log.ndjson');
});
afterEach(() => {
  for (const tail of opened.splice(0)) tail.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

function open(): Tail {
  const tail = new Tail(file);
  opened.push(tail);
  return tail;
}

test('returns each complete line once, however its bytes arrive', () => {
  fs.writeFileSync(file, 'one\ntwo\nthr');
  const tail = open();
  expect([tail.added(), tail.rest]).toEqual([['one', 'two'], 'thr']);
  // Ends within the three bytes of a character.
  const bytes = Buffer.from('ee €\nfour\n');
  fs.appendFileSync(file, bytes.subarray(0, 4));
  expect(tail.added()).toEqual([]);
  fs.appendFileSync(file, bytes.subarray(4));
  expect(tail.added()).toEqual(['three €', 'four']);
  fs.appendFileSync(file, '\nfive\n');
  expect([tail.added(), tail.added(), tail.rest]).toEqual([['five'], [], '']);
});

test('loses nothing where the file is rotated between two looks, whatever the size of the new one', () => {
  fs.writeFileSync(file, 'one\n');
  const tail = open();
  expect(tail.added()).toEqual(['one']);
  fs.appendFileSync(file, 'two\nhalf');
  fs.renameSync(file, `${file}.1`);
  fs.appendFileSync(`${file}.1`, ' a line\n');
  expect(tail.added()).toEqual(['two', 'half a line']);
  fs.writeFileSync(file, 'three, longer than all that was there before it\n');
  expect(tail.added()).toEqual(['three, longer than all that was there before it']);
});

test('waits for a missing file, and starts again after a truncation', () => {
  const tail = open();
  expect([tail.isOpen, tail.added()]).toEqual([false, []]);
  fs.writeFileSync(file, 'one\ntwo\n');
  expect([tail.added(), tail.isOpen]).toEqual([['one', 'two'], true]);
  fs.writeFileSync(file, 'again\n');
  expect(tail.added()).toEqual(['again']);
});
