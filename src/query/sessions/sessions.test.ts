import { afterEach, beforeEach, expect, test } from 'vitest';
import { SessionAccounts } from '#memory/account';
import { subjectKey } from '#reading/subjects';
import {
  eventAt,
  messageAt,
  newStore,
  summarised,
  type TestStore,
} from '../../../test/support/store/store.ts';
import { fileHistory, sessionDiff, stepDetail, stepsOf } from './index.ts';

let own: TestStore;
beforeEach(() => {
  own = newStore();
});
afterEach(() => own.remove());

const edit = (at: number, before: string, after: string) =>
  eventAt(at, {
    tool: 'Edit',
    input: { file_path: '/p/src/mill.ts', old_string: before, new_string: after },
  });

const history = (file: string) =>
  fileHistory(own.store, file, (id) => new SessionAccounts(own.store).of(id)?.fixes ?? []);

test('a session is read part by part, each call with its file or command, its end and its counts', () => {
  own.store.events.insert([
    messageAt(0, 'user', 'Repair the mill.'),
    eventAt(1, {
      input: { command: 'cd /p && npm test' },
      output: 'Exit code 1\nTests  1 failed',
      isError: true,
    }),
    edit(2, 'a\nb', 'a\nc\nd'),
    eventAt(3, { input: { command: 'git commit -m "Repair the mill"' } }),
    messageAt(4, 'assistant', 'Done.'),
  ]);
  const first = stepsOf(own.store, 's1', null, 3);
  expect(first.isEnd).toBe(false);
  expect(first.steps).toMatchObject([
    { kind: 'prompt', title: 'Repair the mill.', id: null },
    { kind: 'call', family: 'command', title: 'npm test', end: 'failed', isFailure: true, exit: 1 },
    { family: 'edit', title: 'src/mill.ts', files: [{ path: 'src/mill.ts', added: 2, removed: 1 }] },
  ]);
  expect(first.steps[1]?.runs).toContainEqual({ name: 'npm test', isCheck: true, verdict: 'failed' });
  const rest = stepsOf(own.store, 's1', first.last, 3);
  expect(rest.isEnd).toBe(true);
  expect(rest.steps).toMatchObject([{ commit: 'Repair the mill' }, { kind: 'reply', title: 'Done.' }]);
  expect(stepDetail(own.store, 3)).toMatchObject({ sessionId: 's1', payload: { tool: 'Edit' } });
  expect(stepDetail(own.store, 99)).toBeNull();
});

test('a call that failed behind a pipe has failed, and one that shows a failure on purpose has not', () => {
  const run = (at: number, command: string, output: string) => eventAt(at, { input: { command }, output });
  own.store.events.insert([
    messageAt(0, 'user', 'Publish the mill.'),
    run(1, 'git push origin main 2>&1 | tail -2', "fatal: unable to access 'https://mill.example': no route"),
    run(2, 'npm test 2>&1 | tail -9', 'bash: line 1: npm: command not found'),
    run(3, 'npm run build && (cd /tmp/empty; mill grind; echo "Exit: $?")', 'fatal: no grain\nExit: 1'),
    run(4, 'run git commit -m Go', 'FAILED: git commit\nhusky - pre-commit script failed (code 2)'),
    run(5, 'run git commit -m Go', 'FAILED: git commit\nnothing to commit, working tree clean'),
  ]);
  const ends = stepsOf(own.store, 's1', null, 9).steps.map(({ end }) => end ?? null);
  expect(ends).toEqual([null, 'failed', 'failed', null, 'failed', null]);
});

test('a search that finds nothing is no failure, of a step as of the account, which counts them', () => {
  const search = (at: number, output: string) =>
    eventAt(at, { tool: 'Grep', input: { pattern: 'mill' }, output, isError: true });
  own.store.events.insert([
    messageAt(0, 'user', 'Publish the mill.'),
    ...['', 'No matches found', 'Exit code 1', 'Path does not exist: src/mill'].map((text, at) =>
      search(at + 1, text),
    ),
    eventAt(5, { tool: 'Read', input: { file_path: '/p/a.ts' }, output: 'ENOENT', isError: true }),
    eventAt(6, { input: { command: 'npm test 2>&1 | tail -1' }, output: 'Tests  1 failed | 2 passed (3)' }),
  ]);
  const { steps } = stepsOf(own.store, 's1', null, 9);
  const failed = steps.flatMap(({ seq, isFailure }) => (isFailure ? [seq] : []));
  expect(failed).toEqual([5, 6, 7]);
  expect(new SessionAccounts(own.store).of('s1')?.failures).toEqual({ count: 3, first: 5 });
});

test('a step shows the subject of a commit that was made, and a file by its path from the first folder', () => {
  const elsewhere = { cwd: '/p/src', tool: 'Edit' };
  own.store.events.insert([
    messageAt(0, 'user', 'The mill is slow. Can you repair it?'),
    edit(1, 'one', 'two'),
    { ...edit(2, 'two', 'three'), ...elsewhere },
    eventAt(3, { input: { command: 'git commit -m Go' }, output: 'FAILED: git commit' }),
    eventAt(4, {
      input: { command: 'git commit -m Go' },
      output: '[main 1234567] Go\n 3 files changed, 9 insertions(+)',
    }),
    messageAt(5, 'user', 'ok'),
  ]);
  const { steps } = stepsOf(own.store, 's1', null, 9);
  expect(steps.slice(1, 3).map(({ files }) => files?.[0]?.path)).toEqual(['src/mill.ts', 'src/mill.ts']);
  expect(steps[3]).not.toHaveProperty('commit');
  expect(steps[4]).toMatchObject({ commit: 'Go' });
  expect(sessionDiff(own.store, 's1', 'src/mill.ts')).toMatchObject({ edits: 2 });
});

test('under a failed build stands the error with its place, not the types below it', () => {
  const output = '# mill\nsrc/mill.go:7:2: not enough arguments in call to grind\n\thave ()\n\twant (rye)';
  own.store.events.insert([
    eventAt(1, { input: { command: 'go build ./...' }, output: `Exit code 1\n${output}`, isError: true }),
  ]);
  const [step] = stepsOf(own.store, 's1', null, 1).steps;
  expect(step?.said).toContain('src/mill.go:7:2: not enough arguments');
});

test('the edits of a file in a session are one change', () => {
  own.store.events.insert([
    edit(1, 'one', 'two'),
    edit(2, 'two', 'three'),
    edit(3, 'x', 'y'),
    edit(4, 'y', 'x'),
    eventAt(5, { tool: 'Edit', input: { file_path: '/p/other.ts', old_string: '1', new_string: '2' } }),
    eventAt(6, { ...edit(6, 'never', 'there'), id: 'ev_6', isError: true }),
  ]);
  const { lines, ...change } = sessionDiff(own.store, 's1', 'src/mill.ts');
  expect(change).toEqual({ path: 'src/mill.ts', edits: 4, added: 1, removed: 1, isCut: false });
  expect(lines).toEqual([
    { kind: 'removed', text: 'one' },
    { kind: 'added', text: 'three' },
  ]);
});

test('a file has its calls of all sessions, newest first, with what was asked then', () => {
  const ids = summarised(own.store, [
    messageAt(0, 'user', 'Repair the mill.'),
    edit(1, 'one', 'two'),
    eventAt(2, { sessionId: 's2', tool: 'Read', input: { file_path: '/p/src/mill.ts' } }),
    eventAt(3, { tool: 'Read', input: { file_path: '/p/other.ts' } }),
  ]);
  const key = subjectKey({ kind: 'file', name: 'src/mill.ts' });
  for (const id of ids.slice(1, 3)) own.store.subjects.save(id, [{ key, outcome: 'read' }]);
  const { steps, isCut } = history('src/mill.ts');
  expect(isCut).toBe(false);
  expect(steps).toMatchObject([
    { sessionId: 's2', tool: 'Read', asked: '' },
    { sessionId: 's1', tool: 'Edit', asked: 'Repair the mill.' },
  ]);
  expect(history('src/none.ts').steps).toEqual([]);

  const below = { cwd: '/p/src', tool: 'Read', input: { file_path: '/p/src/mill.ts' } };
  const [id = 0] = summarised(own.store, [eventAt(4, { ...below, sessionId: 's3' })]);
  own.store.subjects.save(id, [{ key: subjectKey({ kind: 'file', name: 'mill.ts' }), outcome: 'read' }]);
  const all = history('src/mill.ts').steps;
  expect(all.map(({ sessionId }) => sessionId)).toEqual(['s3', 's2', 's1']);
  expect(history('web/mill.ts').steps).toEqual([]);
});

test('a file has the last check that failed between two changes of one session, and what fixed it', () => {
  const fail = (at: number, command: string, sessionId = 's1') =>
    eventAt(at, { sessionId, input: { command }, output: 'Exit code 1\n1 failed', isError: true });
  const events = [
    fail(0, 'npm test'),
    edit(1, 'one', 'two'),
    fail(2, 'npm test'),
    fail(3, 'npm run lint'),
    fail(4, 'cat none.ts'),
    fail(5, 'npm test', 's2'),
    edit(6, 'two', 'three'),
    fail(7, 'npm test'),
    eventAt(8, { input: { command: 'npm run lint' } }),
    edit(9, 'three', 'four'),
  ];
  const ids = summarised(own.store, events);
  const key = subjectKey({ kind: 'file', name: 'src/mill.ts' });
  for (const [at, id] of ids.entries())
    own.store.subjects.save(id, [
      events[at]?.tool === 'Edit' ? { key, outcome: 'changed' } : { key: at, outcome: 'failed' },
    ]);
  const seen = history('src/mill.ts').steps.map(({ title, fixedBy }) => [title, fixedBy?.seq ?? fixedBy]);
  expect(seen).toEqual([
    ['src/mill.ts', undefined],
    ['npm test', null],
    ['src/mill.ts', undefined],
    ['npm run lint', 9],
    ['src/mill.ts', undefined],
  ]);
});

test('a change of a file names what it is in and the earlier one that it replaces, also from another checkout', () => {
  const mill = '/p/src/mill.ts';
  const before = 'export function grind() {\n  return oneSack();\n}';
  const after = before.replace('oneSack', 'twoSacks');
  const change = (at: number, old_string: string, new_string: string) =>
    eventAt(at, { tool: 'Edit', input: { file_path: mill, old_string, new_string } });
  const ids = summarised(own.store, [change(1, 'x', before), change(2, before, after)]);
  const key = subjectKey({ kind: 'file', name: 'src/mill.ts' });
  for (const id of ids) own.store.subjects.save(id, [{ key, outcome: 'changed' }]);
  const found = history('/elsewhere/p/src/mill.ts');
  expect(found.path).toBe('src/mill.ts');
  expect(found.steps).toMatchObject([
    { seq: 2, symbols: ['grind'], replaces: [1], line: 'return twoSacks();' },
    { seq: 1, line: 'export function grind() {' },
  ]);
  expect(found.steps[1]).not.toHaveProperty('replaces');
});

test('a failed commit shows what its hook printed last and a failed test the error above its name', () => {
  const logged = 'error: All wheels fail\n      at <anonymous> (/p/mill.test.ts:1:1)';
  const hook = `$ bun test\n${logged}\n 3 pass\n 0 fail\n$ tsc --noEmit\nsrc/mill.ts(2,6): error TS2322: Type 'rye' is not a grain.\nhusky - pre-commit script failed (code 2)`;
  own.store.events.insert([
    eventAt(1, { input: { command: 'git commit -m Go' }, output: `Exit code 1\n${hook}`, isError: true }),
    eventAt(2, {
      input: { command: 'bun test' },
      output: `Exit code 1\n${logged}\nerror: expect(received).toBe(expected)\n(fail) mill > grinds rye [0.2ms]\n 2 pass\n 1 fail`,
      isError: true,
    }),
  ]);
  expect(stepsOf(own.store, 's1', null, 9).steps).toMatchObject([
    { said: expect.stringContaining('TS2322') },
    { said: 'grinds rye: expect(received).toBe(expected)' },
  ]);
});
