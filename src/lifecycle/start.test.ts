import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { layout, type Workspace } from '../workspace/index.ts';
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
