import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { shadowedSettings } from './shadowed.ts';

let file: string;
beforeEach(() => {
  file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-config-')), 'config.json');
});
afterEach(() => fs.rmSync(path.dirname(file), { recursive: true, force: true }));

test('only what the file says, and a variable says otherwise', () => {
  const env = { MEMD_DRAIN_BACKEND: 'builtin', LOCALLLM_HOST: '127.0.0.1:1', MEMD_HTTP_PORT: '4000' };
  expect(shadowedSettings(file, env)).toEqual([]);
  fs.writeFileSync(
    file,
    '{"drain": {"backend": "auto"}, "localllm.endpoint": "http://127.0.0.1:1", "topK": 3}',
  );
  expect(shadowedSettings(file, env)).toEqual([{ key: 'drain.backend', variable: 'MEMD_DRAIN_BACKEND' }]);
  expect(shadowedSettings(file, {})).toEqual([]);
});

test('a file that cannot be used is refused as it is elsewhere', () => {
  fs.writeFileSync(file, '{');
  expect(() => shadowedSettings(file, {})).toThrow(/not valid JSON/);
});
