import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureFolders, layout, type Workspace } from '#core/workspace';
import { stopDaemon } from './stop.ts';

let home: string;
let workspace: Workspace;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-stop-'));
  workspace = layout(home, 'default', path.join(home, 'app'));
  ensureFolders(workspace);
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

test('where no daemon runs, the pid file of one that did not end in order stays for the next start', async () => {
  fs.writeFileSync(workspace.pid, '12345\n');
  expect(await stopDaemon(workspace)).toEqual({ outcome: 'not-running', pid: null });
  expect(fs.existsSync(workspace.pid)).toBe(true);
});
