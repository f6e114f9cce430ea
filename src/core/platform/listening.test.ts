import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listensUnchecked } from './listening.ts';

let folder: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-listening-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  fs.rmSync(folder, { recursive: true, force: true });
});

/** A process that listens there, by a short address where `socketAddress` would. */
async function listener(file: string): Promise<number> {
  const code = `
    const [file] = process.argv.slice(1);
    const fd = require('node:fs').openSync(require('node:path').dirname(file), 'r');
    const address = file.length > 100 ? '/proc/self/fd/' + fd + '/memd.sock' : file;
    require('node:net').createServer().listen(address, () => console.log('listening'));
  `;
  const child = spawn(process.execPath, ['-e', code, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child.pid ?? 0;
}

test.runIf(process.platform === 'linux').each([
  ['a short path', ''],
  ['a path longer than the platform allows', 'd'.repeat(120)],
])(
  'at %s: seen while the file is there, unseen when it is gone, whether it runs or is stopped',
  async (_, below) => {
    const file = path.join(folder, below, 'memd.sock');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const pid = await listener(file);
    expect(listensUnchecked(pid, file)).toBe(false);
    fs.rmSync(file);
    expect(listensUnchecked(pid, file)).toBe(true);
    process.kill(pid, 'SIGSTOP');
    expect(listensUnchecked(pid, file)).toBe(true);
    expect(listensUnchecked(process.pid, file)).toBe(false);
    expect(listensUnchecked(pid, path.join(folder, below, 'other.sock'))).toBe(false);
  },
);

test('nobody listens where there is no process', () => {
  for (const pid of [0, -1, Number.NaN, 2 ** 30])
    expect(listensUnchecked(pid, path.join(folder, 'x'))).toBe(false);
});
