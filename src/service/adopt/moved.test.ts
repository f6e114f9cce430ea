import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ensureFolders, layout, recordIdentity } from '#core/workspace';
import { openStore } from '#memory/store';
import { formerMemories } from './moved.ts';

test('a clone takes the memory of a folder that is gone, unless its database is damaged', async () => {
  const home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-moved-')));
  try {
    const [mill, clone] = [path.join(home, 'mill'), path.join(home, 'clone')];
    fs.mkdirSync(mill);
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=m', '-c', 'user.email=m@m', ...args], { cwd: mill });
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'A mill');
    const former = layout(home, 'default', mill);
    ensureFolders(former);
    await recordIdentity(former);
    fs.writeFileSync(path.join(former.folder, 'root'), mill);
    openStore(former.database).close();
    git('clone', '-q', '.', clone);
    fs.rmSync(mill, { recursive: true });
    const found = () => formerMemories(layout(home, 'default', clone), home);
    expect((await found()).map(({ root }) => root)).toEqual([mill]);
    fs.writeFileSync(former.database, 'rye '.repeat(4_096));
    expect(await found()).toEqual([]);
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
});
