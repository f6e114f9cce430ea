import { expect, test } from 'vitest';
import { isScratch } from './paths.ts';

test.each([
  ['/tmp/note.md', '/home/m/mill', true],
  ['/private/tmp/x/note.md', '/home/m/mill', true],
  ['/home/m/mill-oil/wheel.ts', '/home/m/mill', false],
  ['tmp/wheel.ts', '/home/m/mill', true],
  ['C:\\Users\\m\\AppData\\Local\\Temp\\try.ts', 'C:\\mill', true],
  ['/c/Users/m/AppData/Local/Temp/claude/try.ts', '/c/mill', true],
  ['/home/m/mill/AppData/wheel.ts', '/home/m/mill', false],
  // A project that lies in a temporary folder, and what lies next to it.
  ['/tmp/home/mill-oil/wheel.ts', '/tmp/home/mill', false],
  ['/tmp/home/mill-oil/wheel.ts', '/tmp/home/mill/', false],
  ['/tmp/note.md', '/tmp/home/mill', true],
  ['/tmp/note.md', '/tmp/mill', true],
  ['/var/folders/a/b/T/home/mill-oil/wheel.ts', '/var/folders/a/b/T/home/mill', false],
  ['/var/folders/a/b/T/note.md', '/var/folders/a/b/T/mill', true],
  ['/tmp/home/mill-oil/.git/COMMIT_EDITMSG', '/tmp/home/mill', true],
])('%s in a session of %s is scratch: %s', (path, root, expected) =>
  expect(isScratch(path, root)).toBe(expected),
);
