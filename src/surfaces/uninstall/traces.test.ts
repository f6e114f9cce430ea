import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { layout } from '#core/workspace';
import { tracesIn } from './traces.ts';

let home: string;

beforeEach(() => {
  home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-traces-')));
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

test('finds the lasting files while a daemon creates and removes others', async () => {
  const workspace = layout(home, 'default', path.join(home, 'mill'));
  fs.mkdirSync(workspace.folder, { recursive: true, mode: 0o700 });
  fs.writeFileSync(workspace.database, 'kept');
  const churn = `const fs = require('node:fs');
    fs.writeSync(1, 'at work');
    for (;;) {
      for (let at = 0; at < 20; at += 1) fs.writeFileSync(process.argv[1] + '/run.pid.' + at + '.tmp', '');
      for (let at = 0; at < 20; at += 1) fs.unlinkSync(process.argv[1] + '/run.pid.' + at + '.tmp');
    }`;
  const daemon = spawn(process.execPath, ['-e', churn, workspace.folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(daemon.stdout, 'data');
    for (let look = 0; look < 300; look += 1) {
      const files = tracesIn(home).workspaces.flatMap(({ traces }) => traces.map(({ file }) => file));
      expect(files).toContain(workspace.database);
    }
  } finally {
    daemon.kill('SIGKILL');
    await once(daemon, 'close');
  }
});
