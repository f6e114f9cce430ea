import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { layout, type Workspace } from '#core/workspace';
import { daemonsBelow } from '../../../test/support/processes.ts';
import { startDaemon } from './start.ts';

const { execPath } = process;
let home: string;
let workspace: Workspace;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-start-'));
  workspace = layout(home, 'default', path.join(home, 'app'));
});
afterEach(() => {
  process.execPath = execPath;
  fs.rmSync(home, { recursive: true, force: true });
});

test('a process that the system does not start is an expected failure', async () => {
  process.execPath = path.join(home, 'gone', 'node');
  const program = { script: pathToFileURL(path.join(home, 'daemon.cjs')), version: '1.0.0' };
  await expect(startDaemon(workspace, process.env, program)).rejects.toMatchObject({
    code: 'start_failed',
    what: expect.stringContaining('ENOENT'),
  });
});

const begins = "process.send({ kind: 'begun' });";

test.each([
  ['hangs before it begins', 'setInterval(() => {}, 60_000);', /hung before it ran the daemon.*ulimit -u/],
  ['ends before it begins', 'process.exit(3);', /ended before it ran the daemon \(exit 3\).*--foreground/],
  ['aborts before it begins', 'process.abort();', /ended before it ran the daemon \(SIGABRT\).*ulimit -u/],
  ['aborts later', `${begins} process.abort();`, /ended at its start \(SIGABRT\).*ulimit -u/],
  ['ends later', `${begins} process.exit(1);`, /ended at its start \(exit 1\).*Its log says why/],
])('a process that %s is ended, and the failure says what to do', async (_, code, words) => {
  const file = path.join(home, 'daemon.cjs');
  fs.writeFileSync(file, code);
  const program = { script: pathToFileURL(file), version: '1.0.0', beginTimeoutMs: 2_000 };
  await expect(startDaemon(workspace, process.env, program)).rejects.toMatchObject({
    code: 'start_failed',
    message: expect.stringMatching(words),
  });
  expect(daemonsBelow(home)).toEqual([]);
});
