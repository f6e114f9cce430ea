import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from '#memory/store';
import { Calls } from '../../../test/support/account/events.ts';
import { messageAt } from '../../../test/support/store/store.ts';
import { Digester, type DigestRun } from './digester.ts';
import { foldPageEvents } from './folds.ts';
import { SessionAccounts } from './read-accounts.ts';

let folder: string;
let store: Store;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-digest-'));
  store = openStore(path.join(folder, 'db.sqlite'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
  store.close();
});

const all = (): DigestRun => ({
  quietSince: null,
  signal: new AbortController().signal,
});
const text = (session: string): string | undefined => store.digests.get(session)?.text;

function insert(session: string, calls = 3): Calls {
  const made = new Calls(session);
  for (let at = 0; at < calls; at += 1) made.write(`${session}-${at}.ts`, 'const a = 1;');
  store.events.insert(made.events);
  return made;
}

it('writes a digest for each session, once', async () => {
  insert('mill');
  insert('bakery', foldPageEvents * 2 + 1);
  insert('short', 1);
  const digester = new Digester(store);
  expect(await digester.run(all())).toBe(3);
  expect(text('mill')).toMatch(/^Changed: 3 files: mill-0\.ts/);
  expect(text('bakery')).toMatch(new RegExp(`^Changed: ${foldPageEvents * 2 + 1} files`));
  expect(text('short')).toMatch(/^Changed: short-0\.ts/);
  expect(await digester.run(all())).toBe(0);
  expect(await new Digester(store).run(all())).toBe(0);
});

it('writes it again for new events and for prompts that arrive later', async () => {
  const calls = insert('mill');
  const digester = new Digester(store);
  await digester.run(all());
  store.events.insert(calls.run('npm test', '3 passed').events);
  expect(await digester.run(all())).toBe(1);
  expect(text('mill')).toContain('last check `npm test` passed');
  store.events.insert([messageAt(0, 'user', 'build a mill by the river', { sessionId: 'mill' })]);
  expect(await digester.run(all())).toBe(1);
  expect(text('mill')).toMatch(/^Goal: build a mill by the river\n/);
});

it('shows that of a running session as its events are now, however often it is asked', () => {
  const calls = insert('mill', 1);
  const accounts = new SessionAccounts(store);
  const files = () => accounts.of('mill')?.files.map(({ path: file }) => file);
  expect([files(), files()]).toEqual(Array(2).fill(['mill-0.ts']));
  store.events.insert(calls.write('mill-1.ts', 'const b = 2;').events);
  expect([files(), files()]).toEqual(Array(2).fill(expect.arrayContaining(['mill-0.ts', 'mill-1.ts'])));
});

it('keeps what a list shows of an account until the account is another', async () => {
  const calls = insert('mill', 1);
  const digester = new Digester(store);
  await digester.run(all());
  const reader = openStore(path.join(folder, 'db.sqlite'));
  const accounts = new SessionAccounts(reader);
  const brief = () => accounts.withBriefs([{ sessionId: 'mill' }])[0]?.brief;
  const first = brief();
  store.settings.set('focus', 'the mill');
  expect(brief()).toBe(first);
  store.events.insert(calls.write('mill-1.ts', 'const b = 2;').events);
  await digester.run(all());
  expect(brief()).not.toEqual(first);
  reader.close();
});

it('leaves a session that is under way to a later run', async () => {
  const calls = insert('mill');
  for (const session of ['a', 'b', 'c']) insert(session);
  store.events.insert(Array.from({ length: 20 }, () => calls.run('make')).at(-1)?.events ?? []);
  const digester = new Digester(store);
  const quietSince = '2026-01-01T12:10:00.000Z';
  expect(await digester.run({ ...all(), quietSince })).toBe(3);
  expect(await digester.run({ ...all(), quietSince })).toBe(0);
  expect(text('mill')).toBeUndefined();
  expect(await digester.run(all())).toBe(1);
  expect(text('mill')).toBeDefined();
});

it('writes that of one session alone, immediately and during a run', async () => {
  const calls = insert('mill');
  insert('bakery');
  const digester = new Digester(store);
  const { signal } = new AbortController();
  for (const session of ['mill', 'nobody', '']) await digester.write(session, signal);
  expect(['mill', 'bakery'].map(text)).toEqual([expect.stringMatching(/^Changed/), undefined]);
  store.events.insert(calls.run('npm test', '3 passed').events);
  await Promise.all([digester.run(all()), digester.write('mill', signal)]);
  await digester.settled();
  expect(text('mill')).toContain('last check `npm test` passed');
  expect(text('bakery')).toBeDefined();
  expect(await digester.run(all())).toBe(0);
  store.events.insert(insert('late').events);
  await digester.write('late', AbortSignal.abort());
  expect(text('late')).toBeUndefined();
});

it('passes over a payload that is none', async () => {
  insert('mill', 4);
  store.connection.run("UPDATE events SET payload_json = '{' WHERE seq = 2");
  expect(await new Digester(store).run(all())).toBe(1);
  expect(text('mill')).toMatch(/^Changed: 3 files/);
});

it('writes it again after a call of the session was forgotten, though no new one came', async () => {
  insert('mill', 4);
  insert('bakery');
  const digester = new Digester(store);
  expect(await digester.run(all())).toBe(2);
  const [row] = store.events.claim('tester', 0, 1, Date.now());
  store.summaries.finish('tester', [{ eventSeq: row?.seq ?? 0, text: 't', terms: '', model: 'm' }]);
  // Two digests have taken the first numbers.
  expect(store.summaries.forget(3)).toBe(true);
  expect(text('mill')).toBeUndefined();
  expect(await digester.run(all())).toBe(1);
  expect(text('mill')).toMatch(/^Changed: 3 files: mill-1\.ts/);
});

describe('what happens while it is at work', () => {
  it('is not lost: a call that is forgotten is in no digest, one that is new in the next', async () => {
    const calls = insert('mill', foldPageEvents + 1);
    const digester = new Digester(store);
    const running = digester.run(all());
    store.connection.run('DELETE FROM events WHERE seq = 1');
    store.events.insert(calls.run('npm test', '3 passed').events.slice(-1));
    expect(await running).toBe(0);
    expect(await digester.run(all())).toBe(1);
    expect(text('mill')).not.toContain('mill-0.ts');
    expect(text('mill')).toContain('npm test');
  });

  it('may be its end: what is not written is left for the next run', async () => {
    insert('mill');
    insert('bakery');
    const stop = new AbortController();
    const digester = new Digester(store);
    const running = digester.run({ ...all(), signal: stop.signal });
    stop.abort();
    expect(await running).toBe(0);
    expect(await digester.run(all())).toBe(2);
  });
});

it('takes goal and outcome from what was said, also of a session without calls, and skips mere answers and chores', async () => {
  const sessionId = 'talk';
  store.events.insert([
    messageAt(1, 'user', 'yes', { sessionId }),
    messageAt(2, 'user', 'why does the mill flood the kitchen at night?', { sessionId }),
    messageAt(
      3,
      'assistant',
      'Great question! The mill floods because `useGate()` returns a new gate each time.',
      {
        sessionId,
      },
    ),
    messageAt(4, 'user', 'commit', { sessionId }),
    messageAt(5, 'assistant', 'Committed as 1a2b3c4.', { sessionId }),
  ]);
  await new Digester(store).run(all());
  expect(text(sessionId)).toBe(
    'Goal: why does the mill flood the kitchen at night?\nOutcome: The mill floods because `useGate()` returns a new gate each time.',
  );
  // What a yes set going is the newest outcome.
  store.events.insert([
    messageAt(6, 'user', 'yes', { sessionId }),
    messageAt(7, 'assistant', 'The mill now reuses one gate, and the kitchen stayed dry for a whole night.', {
      sessionId,
    }),
  ]);
  await new Digester(store).run(all());
  expect(text(sessionId)).toContain('Outcome: The mill now reuses one gate');
});

it('takes for the outcome what was last changed, not an answer that came after it', async () => {
  const sessionId = 'work';
  const { ts } = messageAt(2, 'user', '');
  store.events.insert([
    messageAt(1, 'user', 'make the mill reuse its gate', { sessionId }),
    ...new Calls(sessionId).edit('src/gate.ts', 'a', 'b').events.map((edit) => ({ ...edit, ts })),
    messageAt(3, 'assistant', 'The mill now reuses one gate, and the kitchen stays dry.', { sessionId }),
    // What is kept at a compaction answers nothing.
    messageAt(3.5, 'assistant', '1. Primary Request and Intent:\n   - The mill was to be drained and sold.', {
      sessionId,
    }),
    messageAt(4, 'user', 'and why is the river brown in spring?', { sessionId }),
    messageAt(5, 'assistant', 'Because the snow takes the loam of the upper fields along.', { sessionId }),
    messageAt(6, 'user', 'are the checks of the branch green now?', { sessionId }),
    messageAt(7, 'assistant', 'All green.', { sessionId }),
  ]);
  await new Digester(store).run(all());
  expect(text(sessionId)).toContain('Outcome: The mill now reuses one gate, and the kitchen stays dry.');
});

it('takes the report of a change for the outcome, not the push after it, and no commit that only a reply names', async () => {
  const sessionId = 'pushed';
  const { ts } = messageAt(2, 'user', '');
  store.events.insert([
    messageAt(1, 'user', 'make the mill reuse its gate', { sessionId }),
    ...new Calls(sessionId).edit('src/gate.ts', 'a', 'b').events.map((edit) => ({ ...edit, ts })),
    messageAt(3, 'assistant', 'Committed. The commit was created by the hook.', { sessionId }),
    messageAt(4, 'user', 'and push', { sessionId }),
    messageAt(5, 'assistant', 'Pushed to remote. All three commits are on main now.', { sessionId }),
  ]);
  await new Digester(store).run(all());
  expect(text(sessionId)).toContain('Outcome: Committed. The commit was created by the hook.');
  expect(text(sessionId)).not.toContain('Ended:');
});

it('leaves out what a plan decided once its work was taken back', async () => {
  const sessionId = 'back';
  const plan =
    'Implement the following plan:\n\n# Quiet mill\n\n## Context\n\nThe mill wakes the village.\n\n## Key Design Decisions\n\n- One gate for all\n';
  store.events.insert([
    messageAt(1, 'user', plan, { sessionId }),
    messageAt(2, 'assistant', 'The mill has one gate for all its wheels.', { sessionId }),
  ]);
  await new Digester(store).run(all());
  expect(text(sessionId)).toContain('Decided: “One gate for all”');
  store.events.insert([
    messageAt(3, 'user', "I've reverted your changes - focus only on the bell.", { sessionId }),
  ]);
  await new Digester(store).run(all());
  expect(text(sessionId)).toContain("Decided: “I've reverted your changes - focus only on the bell.”");
  expect(text(sessionId)).not.toContain('“One gate for all”');
});
