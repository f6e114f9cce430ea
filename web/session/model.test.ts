import { expect, it } from 'vitest';
import type { Brief } from '../../src/memory/account/account.ts';
import { filesNamed, sessionsNamed } from '../panels/hit-notes.tsx';
import type { Step } from '../shapes.ts';
import { checkEnd, fixesOf, mainRequests, turnsOf } from './model.ts';

const step = (seq: number, more: Partial<Step>): Step => ({
  seq,
  id: seq,
  ts: '2026-01-01T00:00:00.000Z',
  kind: 'call',
  tool: 'Bash',
  family: 'command',
  title: '',
  ...more,
});

it('leads from a failure to what fixed it, and back', () => {
  const { fixedBy, fixes } = fixesOf({ fixes: [[1, 3]] });
  expect([fixedBy.get(1), fixes.get(3)]).toEqual([3, 1]);
  expect([...fixesOf(null).fixedBy]).toEqual([]);
});

it('parts a session into turns, whose stamp changes with what is drawn', () => {
  const steps = [
    step(1, { end: 'failed', isFailure: true }),
    step(2, { kind: 'prompt', title: 'go' }),
    step(3, {}),
    step(4, { kind: 'prompt', title: 'on' }),
  ];
  const turns = turnsOf(steps, fixesOf(null));
  expect(turns.map(({ key, prompt, steps: own }) => [key, prompt?.title, own.length])).toEqual([
    [1, undefined, 1],
    [2, 'go', 1],
    [4, 'on', 0],
  ]);
  expect(turnsOf(steps, fixesOf({ fixes: [[1, 3]] }))[0]?.stamp).not.toBe(turns[0]?.stamp);
});

it('names a task by the call that made it', () => {
  const task = (name: string, status: string) => ({ id: '4', name, status, isUpdate: name === '' });
  const [turn] = turnsOf(
    [
      step(1, { title: 'Sweep', task: task('Sweep', 'pending') }),
      step(2, { title: 'task 4: in progress', task: task('', 'in_progress') }),
      step(3, { title: 'task 9: completed', task: { ...task('', 'completed'), id: '9' } }),
    ],
    fixesOf(null),
  );
  expect(turn?.steps.map(({ title }) => title)).toEqual(['Sweep', 'Sweep: in progress', 'task 9: completed']);
});

it('calls a run passed or failed only where that is known', () => {
  const runs = (...verdicts: NonNullable<Step['runs']>[number]['verdict'][]) =>
    checkEnd(step(1, { runs: verdicts.map((verdict) => ({ name: 'npm test', isCheck: true, verdict })) }));
  expect([runs(), runs('none'), runs('passed', 'none'), runs('passed', 'failed')]).toEqual([
    ...[null, null, 'passed', 'failed'],
  ]);
});

it('shows the first requests, the last, and those between that changed most', () => {
  const request = (seq: number) => ({
    seq,
    text: '',
    turns: 1,
    calls: 1,
    files: seq % 5,
    says: null,
    isUndone: false,
  });
  const many = Array.from({ length: 12 }, (_, seq) => request(seq));
  expect(mainRequests(many).map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4, 9, 11]);
});

it('knows a file that a session has changed by its name or the end of its path', () => {
  const brief = {
    title: '',
    second: '',
    ending: 'changed',
    workMs: 0,
    filesCount: 1,
    failures: [],
    decided: [],
    plan: '',
  } as const;
  const sessions = [
    { brief: { ...brief, files: ['src/mill.ts', 'web/mill.tsx'] } },
    { brief: null },
    { brief: { ...brief, files: ['src/Mill.ts'] } },
  ];
  expect(filesNamed('mill.ts', sessions)).toEqual(['src/mill.ts', 'src/Mill.ts']);
  expect(filesNamed(' SRC/mill ', sessions)).toEqual(['src/mill.ts', 'src/Mill.ts']);
  expect(filesNamed('mill', sessions)).toHaveLength(3);
  expect(filesNamed('what broke src/mill.ts?', sessions)).toEqual(['src/mill.ts', 'src/Mill.ts']);
  const worded = [{ brief: { ...brief, files: ['lib/rye_mill-stone.ex'] } }];
  expect(filesNamed('rye mill stone', worded)).toEqual(['lib/rye_mill-stone.ex']);
  for (const query of ['ill.ts', 'ts', 'the mill', 'c/mill', 'the c/mill'])
    expect(filesNamed(query, sessions)).toEqual([]);
});

it('knows a session by words of its title', () => {
  const titled = (title: string) => ({ brief: { title } as Brief });
  const sessions = [titled('Count the last sack'), titled('Ring the bell'), { brief: null }];
  expect(sessionsNamed('LAST count', sessions)).toEqual([sessions[0]]);
  for (const query of ['', 'th', 'count bell']) expect(sessionsNamed(query, sessions)).toEqual([]);
});
