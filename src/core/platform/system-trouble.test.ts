import fs from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import { systemRepair } from './system-trouble.ts';

function thrownBy(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}

test.each([
  ['ENOSPC: no space left on device, write', /^make room on the disk/],
  ['database or disk is full', /^make room on the disk/],
  ['attempt to write a readonly database', /^the disk can only be read/],
  ['Worker initialization failure: EMFILE', /ulimit -n/],
  ['EAGAIN', /ulimit -u/],
  ['spawn /usr/bin/node EAGAIN', /ulimit -u/],
  ['spawn ENOMEM', /short of memory/],
  ['disk I/O error', /^the disk fails/],
  ["EACCES: permission denied, mkdir '/x/.memd'", /^look at its owner and mode.*set HOME/],
  ["ENOTDIR: not a directory, lstat '/x/.memd'", /^move away/],
  ['ELOOP: too many symbolic links encountered', /^move away/],
  ['EISDIR: illegal operation on a directory, read', /^move away the folder/],
  ['ENAMETOOLONG: name too long', /shorter path/],
])('%s has a repair', (words, repair) => {
  expect(systemRepair(new Error(words))).toMatch(repair);
});

test('what SQLite and the system throw themselves is known', () => {
  const opened = thrownBy(() => new DatabaseSync('/nowhere/at/all.sqlite'));
  expect(systemRepair(opened)).toMatch(/^look at the rights of its folder/);
  expect(systemRepair(Object.assign(new Error('write'), { code: 'EDQUOT' }))).toMatch(/^make room/);
});

test('any other error has none', () => {
  expect(systemRepair(thrownBy(() => fs.readFileSync('/nowhere/at/all')))).toBeNull();
  expect(systemRepair(new Error('the model is full of ideas'))).toBeNull();
  expect(systemRepair(new Error('EAGAIN: resource temporarily unavailable, read'))).toBeNull();
});
