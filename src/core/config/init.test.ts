import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { initConfig } from './init.ts';
import { loadConfig } from './load.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-init-'));
  file = path.join(folder, 'config.json');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

describe('initConfig', () => {
  test('writes a private file that lets the builtin summariser step in, once', () => {
    expect(initConfig(file)).toEqual({ written: true, fallback: 'builtin' });
    expect(loadConfig(file, {}).config['drain.fallback']).toBe('builtin');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    const text = fs.readFileSync(file, 'utf8');
    expect(initConfig(file)).toEqual({ written: false, fallback: 'builtin' });
    expect(fs.readFileSync(file, 'utf8')).toBe(text);
    expect(fs.readdirSync(folder)).toEqual(['config.json']);
  });

  test('writes into what the user has linked there, and asks no other key of that name', () => {
    const own = path.join(folder, 'own.json');
    fs.writeFileSync(own, '{"mine": {"fallback": "x"}}');
    fs.symlinkSync(own, file);
    expect(initConfig(file)).toEqual({ written: true, fallback: 'builtin' });
    expect(fs.lstatSync(file).isSymbolicLink()).toBe(true);
    expect(JSON.parse(fs.readFileSync(own, 'utf8'))).toEqual({
      mine: { fallback: 'x' },
      drain: { fallback: 'builtin' },
    });
  });

  test('keeps what the user has set', () => {
    fs.writeFileSync(file, '{"topK": 3, "drain": {"batchSize": 2}, "localllm.model": "m"}');
    expect(initConfig(file).written).toBe(true);
    const { config } = loadConfig(file, {});
    expect(config).toMatchObject({
      topK: 3,
      'drain.batchSize': 2,
      'localllm.model': 'm',
      'drain.fallback': 'builtin',
    });
  });

  test.each(['{"drain": {"fallback": "none"}}', '{"drain.fallback": "none"}'])(
    'leaves a choice alone: %s',
    (text) => {
      fs.writeFileSync(file, text);
      expect(initConfig(file)).toEqual({ written: false, fallback: 'none' });
      expect(fs.readFileSync(file, 'utf8')).toBe(text);
    },
  );

  test('does not touch a file that is not valid', () => {
    fs.writeFileSync(file, '{"topK": 3,}');
    expect(() => initConfig(file)).toThrow(expect.objectContaining({ code: 'bad_config' }));
    expect(fs.readFileSync(file, 'utf8')).toBe('{"topK": 3,}');
  });
});
