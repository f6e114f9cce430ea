import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCall } from '../../calls/call/index.ts';
import { subjectKey, subjectsOf } from '../../calls/subjects/index.ts';
import type { ToolEvent } from '../../core/event/index.ts';
import { openStore, type Store } from '../../memory/store/index.ts';
import { outline } from './outline.ts';

let folder: string;
let store: Store;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-outline-'));
  store = openStore(path.join(folder, 'db.sqlite'));
});
afterEach(() => {
  store.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

let clock = 0;

/** Stores a call of a session as drain and curator leave it. Answers its memory's id. */
function remember(call: Partial<ToolEvent>, text: string): number {
  clock += 1;
  const event: ToolEvent = {
    ...{ id: `ev_${clock}`, toolUseId: `call_${clock}`, tool: 'Bash', input: {}, output: '', cwd: '/p' },
    ...{ sessionId: 's1', client: 'claude-code', isError: false },
    ts: new Date(Date.UTC(2026, 0, 1, 12, 0, clock)).toISOString(),
    ...call,
  };
  store.events.insert([event]);
  const [row] = store.events.claim('tester', 0, 1, Date.now());
  if (row === undefined) throw new Error('nothing was claimed');
  store.summaries.finish('tester', [{ eventSeq: row.seq, text, terms: '', model: 'm' }]);
  const id = Number(store.connection.get('SELECT max(id) AS id FROM summaries')?.id);
  const subjects = subjectsOf(readCall({ ...event })).map((one) => ({
    key: subjectKey(one),
    outcome: one.outcome,
  }));
  store.subjects.save(id, [...new Map(subjects.map((one) => [one.key, one])).values()]);
  return id;
}

const ran = (command: string, isError: boolean): number =>
  remember(
    { input: { command }, output: isError ? 'Exit code 1\nfailed' : 'ok', isError },
    `Ran \`${command}\`: ${isError ? 'failed' : 'passed'}.`,
  );

const ask = (source: string, session = 'new'): string => outline(store, { session, source }, 600);

test('an empty memory gives no outline', () => expect(ask('startup')).toBe(''));

test('what failed is open until it passes; a file that was not there never is', () => {
  const lint = ran('npm run lint', true);
  const tests = ran('npm test', true);
  remember(
    { tool: 'Read', input: { file_path: 'gone' }, output: 'not there', isError: true },
    'no such file',
  );
  expect(ask('startup')).toMatch(new RegExp(`#${tests} .*\n#${lint} `));
  ran('npm test', false);
  expect(ask('startup')).toContain(`#${lint} `);
  expect(ask('startup')).not.toContain(`#${tests} `);
  expect(ask('startup')).not.toContain('no such file');
});

test('a failure in two memories is shown once, as the newer', () => {
  const first = ran('npm test', true);
  const second = ran('npm test', true);
  expect(ask('startup')).toContain(`#${second} `);
  expect(ask('startup')).not.toContain(`#${first} `);
});

test('a failure that another memory supersedes is not open', () => {
  const failed = ran('npm run odd', true);
  const other = ran('npm run even', false);
  store.connection.run(`INSERT INTO edges VALUES (?, ?, 'supersedes', 'retried', '2026')`, other, failed);
  expect(ask('startup')).toBe('');
});

test('a session gets the digest of the one before it, and a resumed session gets less', () => {
  const pinned = ran('npm run build', false);
  store.summaries.pin(pinned, true);
  const failed = ran('npm test', true);
  const digest = { text: 'Goal: fix the mill', terms: '', model: 'builtin', lastSeq: 1 };
  store.digests.save({ ...digest, sessionId: 's1', ts: '2026-01-01T13:00:00.000Z' });
  for (const source of ['startup', 'clear', '']) {
    expect(ask(source)).toContain('fix the mill');
    expect(ask(source)).toContain(`#${failed} `);
  }
  expect(ask('startup', 's1')).not.toContain('fix the mill');
  expect(ask('compact')).not.toContain('fix the mill');
  expect(ask('compact', 's1')).toContain('\nThis session, s1, until 2026-01-01 13:00 UTC, its last memory');
  expect(ask('compact', 's1')).toContain('\n- Goal: fix the mill\n');
  expect(ask('compact', '')).not.toContain('fix the mill');
  expect(ask('compact')).toContain(`#${failed} `);
  for (const source of ['resume', 'fork']) {
    expect(ask(source)).toContain(`#${pinned} `);
    expect(ask(source)).not.toContain(`#${failed} `);
  }
});
