import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Failure } from '#core/platform';
import { ensureFolders, findWorkspace } from '#core/workspace';
import type { Check } from './check.ts';
import { type Examined, examine } from './examine.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-examine-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

interface Ran extends Examined {
  readonly notes: readonly string[];
}

async function run(checks: readonly Check[], fix = true): Promise<Ran> {
  const env = { HOME: folder };
  const workspace = findWorkspace(env, folder);
  ensureFolders(workspace);
  const notes: string[] = [];
  const subject = { workspace, version: '1.0.0', env, progress: () => {} };
  const start = async () => {};
  const done = await examine(subject, { checks, fix, start, note: (text) => void notes.push(text) });
  return { ...done, notes };
}

/** A check that a file is missing; its repair removes the file. */
function fileCheck(code: string, file: string, more: Partial<Check> = {}): Check {
  return {
    code,
    severity: 'warning',
    sentence: 'a file exists',
    repair: 'remove it',
    run: async () => (fs.existsSync(file) ? [{ detail: file }] : []),
    fix: { needsStop: false, done: 'it was removed', run: async () => fs.rmSync(file) },
    ...more,
  };
}

test('a finding is repaired, checked again, and reported with what was done', async () => {
  const file = path.join(folder, 'a');
  fs.writeFileSync(file, '');
  const check = fileCheck('a', file);
  expect(await run([check], false)).toMatchObject({
    findings: [{ code: 'a', isFixable: true }],
    fixed: [],
  });
  expect(await run([check])).toMatchObject({
    findings: [],
    fixed: [{ code: 'a', detail: file, did: 'it was removed' }],
  });
});

test('a finding that a repair reveals is repaired in the same run', async () => {
  const [first, second] = [path.join(folder, 'a'), path.join(folder, 'b')];
  fs.writeFileSync(first, '');
  const fix = { needsStop: true, done: 'renamed', run: async () => fs.renameSync(first, second) };
  const checks = [fileCheck('b', second), fileCheck('a', first, { fix })];
  const { findings, fixed } = await run(checks);
  expect(findings).toEqual([]);
  expect(fixed.map(({ code }) => code)).toEqual(['a', 'b']);
});

test('a repair that does not help is tried once, and its finding remains', async () => {
  const runs: string[] = [];
  const file = path.join(folder, 'a');
  fs.writeFileSync(file, '');
  const fix = { needsStop: false, done: 'nothing', run: async () => void runs.push('a') };
  const { findings, fixed } = await run([fileCheck('a', file, { fix })]);
  expect({ runs, fixed }).toEqual({ runs: ['a'], fixed: [] });
  expect(findings).toMatchObject([{ code: 'a' }]);
});

test('a check or repair that fails is reported and does not affect the others', async () => {
  const [a, b] = [path.join(folder, 'a'), path.join(folder, 'b')];
  for (const file of [a, b]) fs.writeFileSync(file, '');
  const refuses = async () => {
    throw new Failure('busy', 'somebody is at work', { repair: 'wait' });
  };
  const { findings, fixed, notes } = await run([
    fileCheck('blind', a, { run: async () => [{ detail: fs.readFileSync(`${a}/below`, 'utf8') }] }),
    fileCheck('a', a, { fix: { needsStop: false, done: '', run: refuses } }),
    fileCheck('b', b),
  ]);
  expect(findings).toMatchObject([
    { code: 'blind', sentence: 'this check failed', detail: expect.stringContaining('ENOTDIR') },
    { code: 'a' },
  ]);
  expect(fixed).toMatchObject([{ code: 'b' }]);
  expect(notes).toEqual(['somebody is at work. Wait.']);
});

test('a bug in a check is thrown, not reported', async () => {
  const broken = fileCheck('a', '', {
    run: async () => {
      throw new RangeError('beyond');
    },
  });
  await expect(run([broken])).rejects.toThrow('beyond');
});
