import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SessionAccounts } from '#memory/account';
import { openStore, type Store } from '#memory/store';
import { eventsOf, type Part } from '../../../test/support/account/account-of.ts';
import { Calls } from '../../../test/support/account/events.ts';
import { gatherHandoff } from './handoff.ts';

let folder: string;
let store: Store;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-handoff-'));
  store = openStore(path.join(folder, 'db.sqlite'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
  store.close();
});

/** The lines below a title of the handoff. */
function linesOf(title: string, ...parts: readonly Part[]): string[] {
  const events = eventsOf(['user', 'Please make the mill grind rye without noise'], ...parts);
  store.events.insert(events.map((event) => ({ ...event, sessionId: 'mill' })));
  const { sections } = gatherHandoff(store, new SessionAccounts(store), 'mill');
  return sections.flatMap((one) => (one.title === title ? one.lines.map(({ text }) => text) : []));
}

const failed = 'Failed, and not passed since:';
const denied = 'remote: entry denied';

it('names a push that did not go through, and what it was stuck on', () => {
  const push = new Calls().run('git push origin main', denied, true).run('git push', denied, true);
  expect(linesOf(failed, push)).toEqual(['`git push`: remote: entry denied']);
});

it('names the push also when other work came after it', () => {
  const push = new Calls().run('git push', denied, true);
  expect(linesOf(failed, push, new Calls().edit('a.ts', 'a', 'b'))).toEqual([
    '`git push`: remote: entry denied',
  ]);
});

it('says which API error it ended by', () => {
  const error = ['assistant', 'API error: 529 the mill is busy', 'error'] as const;
  expect(linesOf('Open work:', error).at(-1)).toBe('ended by an API error: 529 the mill is busy');
});

it('names a push in a chain, and the folder in which a command ran', () => {
  const chain = 'git pull --rebase && git push && git status';
  const inWeb = new Calls('web').run('npx vitest run', ' 1 passed (1)');
  for (const event of inWeb.events) Object.assign(event, { cwd: '/p/web' });
  const parts = [new Calls().run(chain, denied, true).edit('a.ts', 'a', 'b'), inWeb] as const;
  expect(linesOf(failed, ...parts)).toEqual([`\`${chain}\`: remote: entry denied`]);
  expect(linesOf('Commands, with their ends:', ...parts)).toEqual(['`cd web && npx vitest run` ok']);
});

it('names no push that went through later', () => {
  const push = new Calls().run('git push', denied, true).run('git push', 'done').edit('a.ts', 'a', 'b');
  expect(linesOf(failed, push)).toEqual([]);
});
