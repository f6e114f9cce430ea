import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findAssistant } from './assistants.ts';
import { configBackupsMax, readConfig, removeConfig, writeConfig } from './config-file.ts';
import { carryOut, noOptions, planInstall } from './install.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-config-')));
  file = path.join(folder, 'settings.json');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const backups = (): string[] => fs.readdirSync(folder).filter((name) => name.includes('memd-backup'));

describe('a change', () => {
  test('keeps the mode, and a few backups', () => {
    fs.writeFileSync(file, 'first', { mode: 0o640 });
    fs.chmodSync(file, 0o640);
    const backup = writeConfig(readConfig(file), 'second') ?? '';
    expect(fs.readFileSync(backup, 'utf8')).toBe('first');
    expect(fs.statSync(backup).mode & 0o777).toBe(0o600);
    expect(fs.statSync(file).mode & 0o777).toBe(0o640);
    for (let count = 0; count < 2 * configBackupsMax; count += 1)
      writeConfig(readConfig(file), `text ${count}`);
    expect(backups()).toHaveLength(configBackupsMax);
  });

  test('back to a kept text keeps no further one', () => {
    fs.writeFileSync(file, 'first');
    writeConfig(readConfig(file), 'second');
    expect(writeConfig(readConfig(file), 'first')).toBeNull();
    expect(fs.readdirSync(folder)).toEqual(['settings.json']);
  });

  test('of a file that another program has just written is refused', () => {
    fs.writeFileSync(file, 'first');
    const config = readConfig(file);
    fs.writeFileSync(file, 'theirs');
    expect(() => writeConfig(config, 'ours')).toThrow(
      /another program has just changed .*\. It was not changed/,
    );
    expect(() => removeConfig(config, folder)).toThrow(/has just changed/);
    expect(fs.readFileSync(file, 'utf8')).toBe('theirs');
    expect(backups()).toEqual([]);
  });

  test('makes folders that are closed to others, and takes them away when they are empty', () => {
    const deep = path.join(folder, 'a/b/c.json');
    writeConfig(readConfig(deep), 'x');
    expect(fs.statSync(path.join(folder, 'a')).mode & 0o777).toBe(0o700);
    expect(fs.statSync(deep).mode & 0o777).toBe(0o600);
    fs.mkdirSync(path.join(folder, 'a/other'));
    removeConfig(readConfig(deep), folder);
    expect(fs.readdirSync(path.join(folder, 'a'))).toEqual(['other']);
  });
});

test.each([
  ['a link to nothing', () => fs.symlinkSync('nowhere', file), /is a link to a missing file/],
  ['a folder', () => fs.mkdirSync(file), /is not a file/],
  ['bytes that are no UTF-8', () => fs.writeFileSync(file, Buffer.from([0x7b, 0xff, 0x7d])), /is not UTF-8/],
])('%s is refused', (_, make, words) => {
  make();
  expect(() => readConfig(file)).toThrow(words);
});

test('when the second of two files cannot be written, the first is put back', () => {
  const claude = findAssistant('claude');
  if (claude === null) throw new Error('no such assistant');
  const env = { HOME: folder };
  fs.mkdirSync(path.join(folder, '.claude'));
  const settings = path.join(folder, '.claude/settings.json');
  fs.writeFileSync(settings, '{"a": 1}');
  const plan = planInstall(claude, {
    env,
    programs: { node: '/n/node', dist: '/d/dist' },
    options: noOptions,
  });
  fs.writeFileSync(path.join(folder, '.claude.json'), '{"written": "meanwhile"}');
  expect(() => carryOut(plan, env)).toThrow(/another program has just changed .*\.claude\.json/);
  expect(fs.readFileSync(settings, 'utf8')).toBe('{"a": 1}');
  expect(fs.readdirSync(path.dirname(settings))).toEqual(['settings.json']);
});
