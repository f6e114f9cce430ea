import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

let folder: string;
let script: string;
const [, ownScript = ''] = process.argv;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-program-'));
  script = path.join(folder, 'dist', 'daemon.cjs');
  fs.mkdirSync(path.dirname(script));
  fs.writeFileSync(script, '');
  process.argv[1] = script;
});
afterEach(() => {
  process.argv[1] = ownScript;
  // The other test files of this worker load it as the program that they are.
  vi.resetModules();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Loaded again, as a process would that was started from the script. */
async function stateAfter(work: () => void): Promise<string> {
  vi.resetModules();
  const { programState } = await import('./program.ts');
  expect(programState()).toBe('same');
  work();
  return programState();
}

test('a program that is not there any more is gone, also where a file has taken the place of its folder', async () => {
  expect(await stateAfter(() => fs.rmSync(script))).toBe('gone');
  fs.writeFileSync(script, '');
  const work = (): void => {
    fs.rmSync(path.dirname(script), { recursive: true });
    fs.writeFileSync(path.dirname(script), '');
  };
  expect(await stateAfter(work)).toBe('gone');
});

test('one that was rewritten is replaced', async () => {
  expect(await stateAfter(() => fs.writeFileSync(script, 'another'))).toBe('replaced');
});

test('one that cannot be looked at is not gone, and nothing is thrown', async () => {
  const work = (): void => {
    fs.rmSync(script);
    fs.symlinkSync(script, script);
  };
  expect(await stateAfter(work)).toBe('same');
});
