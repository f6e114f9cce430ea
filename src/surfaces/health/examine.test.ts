import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Failure } from '../../core/platform/index.ts';
import { ensureFolders, findWorkspace } from '../../core/workspace/index.ts';
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

/** A check of whether a file is there, whose repair takes it away. */
function fileCheck(code: string, file: string, more: Partial<Check> = {}): Check {
  return {
    code,
    severity: 'warning',
    sentence: 'there is a file',
    repair: 'take it away',
    look: async () => (fs.existsSync(file) ? [{ detail: file }] : []),
    fix: { needsStop: false, does: 'it was taken away', run: async () => fs.rmSync(file) },
    ...more,
  };
}

test('what is found is mended, looked at again, and told with what was done', async () => {
  const file = path.join(folder, 'a');
  fs.writeFileSync(file, '');
  const check = fileCheck('a', file);
  expect(await run([check], false)).toMatchObject({
    findings: [{ code: 'a', isFixable: true }],
    mended: [],
  });
  expect(await run([check])).toMatchObject({
    findings: [],
    mended: [{ code: 'a', detail: file, did: 'it was taken away' }],
  });
});

test('what comes up by a repair has its turn in the same run', async () => {
  const [first, second] = [path.join(folder, 'a'), path.join(folder, 'b')];
  fs.writeFileSync(first, '');
  const fix = { needsStop: true, does: 'renamed', run: async () => fs.renameSync(first, second) };
  const checks = [fileCheck('b', second), fileCheck('a', first, { fix })];
  const { findings, mended } = await run(checks);
  expect(findings).toEqual([]);
  expect(mended.map(({ code }) => code)).toEqual(['a', 'b']);
});

test('a repair that does not help is tried once, and what it was for is told', async () => {
  const runs: string[] = [];
  const file = path.join(folder, 'a');
  fs.writeFileSync(file, '');
  const fix = { needsStop: false, does: 'nothing', run: async () => void runs.push('a') };
  const { findings, mended } = await run([fileCheck('a', file, { fix })]);
  expect({ runs, mended }).toEqual({ runs: ['a'], mended: [] });
  expect(findings).toMatchObject([{ code: 'a' }]);
});

test('a check or a repair that fails is told, and hides nothing of the others', async () => {
  const [a, b] = [path.join(folder, 'a'), path.join(folder, 'b')];
  for (const file of [a, b]) fs.writeFileSync(file, '');
  const refuses = async () => {
    throw new Failure('busy', 'somebody is at work', { repair: 'wait' });
  };
  const { findings, mended, notes } = await run([
    fileCheck('blind', a, { look: async () => [{ detail: fs.readFileSync(`${a}/below`, 'utf8') }] }),
    fileCheck('a', a, { fix: { needsStop: false, does: '', run: refuses } }),
    fileCheck('b', b),
  ]);
  expect(findings).toMatchObject([
    { code: 'blind', sentence: 'this could not be looked at', detail: expect.stringContaining('ENOTDIR') },
    { code: 'a' },
  ]);
  expect(mended).toMatchObject([{ code: 'b' }]);
  expect(notes).toEqual(['somebody is at work; wait']);
});

test('a mistake of our own is no finding', async () => {
  const broken = fileCheck('a', '', {
    look: async () => {
      throw new RangeError('beyond');
    },
  });
  await expect(run([broken])).rejects.toThrow('beyond');
});
