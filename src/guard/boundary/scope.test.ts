import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { scopeBytesMax } from '#core/limits';
import { parseScope, readScope } from './scope.ts';

describe('parseScope', () => {
  test('is on with what it says', () => {
    expect(parseScope('{"allow": ["src/**"], "deny": []}')).toEqual({
      state: 'on',
      allow: ['src/**'],
      deny: [],
    });
    expect(parseScope('{}')).toEqual({ state: 'on' });
    expect(parseScope('{"$schema": "x", "deny": ["a"]}')).toEqual({ state: 'on', deny: ['a'] });
  });

  test.each([
    ['', 'not JSON'],
    ['{"allow": ["src/**"],}', 'not JSON'],
    ['// mine\n{"allow": []}', 'not JSON'],
    ['\ufeff{"allow": []}', 'not JSON'],
    ['[]', 'not an object'],
    ['null', 'not an object'],
    ['{"allow": "src/**"}', '"allow" is not a list'],
    ['{"deny": ["a", 1]}', '"deny" is not a list'],
    ['{"deny": [""]}', '"deny" is not a list'],
    ['{"denny": ["a"]}', '"denny" is not a key'],
  ])('%j is invalid, and says why', (text, why) => {
    expect(parseScope(text)).toEqual({ state: 'invalid', error: expect.stringContaining(why) });
  });

  test('never throws', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void parseScope(text)));
  });
});

describe('readScope', () => {
  let folder: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-scope-'));
  });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  const at = (name: string): string => path.join(folder, name);

  test('is off where nothing is', () => {
    expect(readScope(at('scope.json'))).toEqual({ state: 'off' });
    fs.writeFileSync(at('file'), '');
    expect(readScope(at('file/scope.json'))).toEqual({ state: 'off' });
  });

  test('is invalid for a folder, a pipe nobody writes to, an endless device and bytes that are no text', () => {
    fs.mkdirSync(at('folder'));
    execFileSync('mkfifo', [at('pipe')]);
    fs.symlinkSync('/dev/zero', at('zero'));
    fs.symlinkSync(at('loop'), at('loop'));
    fs.writeFileSync(at('bytes'), Buffer.from([0x7b, 0xff, 0x7d]));
    fs.writeFileSync(at('long'), ' '.repeat(scopeBytesMax + 1));
    for (const name of ['folder', 'pipe', 'zero', 'loop', 'bytes', 'long']) {
      expect(readScope(at(name)), name).toMatchObject({ state: 'invalid' });
    }
  });
});
