import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Digester, SessionAccounts } from '#memory/account';
import { openStore } from '#memory/store';
import { Standings } from '#query/state';
import { Calls } from '../../../test/support/account/events.ts';
import { standingsOf } from './sessions.ts';

test('of a list of sessions git says what it says of each; what it does not say in time is not in the answer', async () => {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-sessions-')));
  const store = openStore(path.join(folder, 'db.sqlite'));
  try {
    const root = path.join(folder, 'mill');
    fs.mkdirSync(root);
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=m', '-c', 'user.email=m@m', ...args], { cwd: root });
    git('init', '-q');
    const sessions = Array.from({ length: 40 }, (_, at) => `mill-${at}`);
    for (const [at, session] of sessions.entries()) {
      const text = `turnTheWheel(${at});`;
      store.events.insert(new Calls(session).write(`${session}.ts`, text).events);
      fs.writeFileSync(path.join(root, `${session}.ts`), `${text}\n`);
      if (at % 2 === 0) git('add', `${session}.ts`);
    }
    git('commit', '-q', '-m', 'Turn every other wheel');
    store.events.insert(new Calls('reader').read('mill-1.ts').events);
    await new Digester(store).run({ quietSince: null, signal: new AbortController().signal });
    const accounts = new SessionAccounts(store);
    const parts = { accounts, standings: new Standings(root) };
    const asked = [...sessions, 'reader'];
    const inTime = await standingsOf({ sessions: asked, budgetMs: 0 }, parts);
    expect(inTime.map(([session]) => session)).toEqual(['reader']);
    const found = new Map(await standingsOf({ sessions: asked, budgetMs: 60_000 }, parts));
    expect(asked.map((session) => found.get(session)?.ending)).toEqual([
      ...sessions.map((_, at) => (at % 2 === 0 ? 'committed' : 'changed')),
      'looked',
    ]);
    for (const session of ['mill-0', 'mill-39', 'reader']) {
      const { commits: _, ...alone } = await parts.standings.now(accounts.of(session), 60_000);
      expect(found.get(session)).toEqual({ ...alone, failures: [] });
    }
  } finally {
    store.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
});

test('a check that failed at the end of a session is over when a later one passed it, also in the hook of a commit', async () => {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-sessions-')));
  const store = openStore(path.join(folder, 'db.sqlite'));
  try {
    const bad = new Calls('bad').run('tsc --noEmit', 'mill.ts(5,3): error TS2322: no rye', true);
    const late = (session: string) => new Calls(session).read('a.ts').read('b.ts');
    const hook = '$ tsc --noEmit\n[main 1a2b3c4] Oil\n 1 file changed';
    const lint = late('lint').run('npm run lint', '1 error', true);
    for (const { events } of [bad, late('good').run('git commit -m Oil', hook), lint])
      store.events.insert(events);
    await new Digester(store).run({ quietSince: null, signal: new AbortController().signal });
    const parts = { accounts: new SessionAccounts(store), standings: new Standings(folder) };
    const failures = async (...sessions: string[]) =>
      (await standingsOf({ sessions, budgetMs: 60_000 }, parts)).map(([, one]) => one.failures);
    expect(await failures('bad', 'lint')).toEqual([
      ['`tsc --noEmit`: mill.ts(5,3): error TS2322: no rye'],
      ['`npm run lint`: 1 error'],
    ]);
    expect(await failures('lint', 'good', 'bad')).toEqual([['`npm run lint`: 1 error'], [], []]);
  } finally {
    store.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
