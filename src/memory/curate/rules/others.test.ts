import { describe, expect, test } from 'vitest';
import { finding, type TestCall } from '../../../../test/support/curate/calls.ts';
import { decidedAgain } from './decided-again.ts';
import { planGoesOn } from './plan-goes-on.ts';

describe('plan goes on', () => {
  const list = (at: number, names: readonly string[], done: number, sessionId = 's1'): TestCall => ({
    at,
    tool: 'TodoWrite',
    input: {
      todos: names.map((content, index) => ({ content, status: index < done ? 'completed' : 'pending' })),
    },
    sessionId,
  });
  const task = (at: number, status: string): TestCall => ({
    at,
    tool: 'TaskUpdate',
    input: { taskId: '4', status },
  });

  test('a list written again with all that stood in it', () => {
    const found = finding(planGoesOn, list(1, ['read', 'write'], 0), list(2, ['read', 'write', 'test'], 1));
    expect(found?.evidence).toContain('list is “1 of 3 done”');
  });

  test('a list of other things, or of another session', () => {
    expect(finding(planGoesOn, list(1, ['read', 'write'], 0), list(2, ['ship', 'write'], 0))).toBeNull();
    expect(finding(planGoesOn, list(1, ['read'], 0), list(2, ['read'], 1, 's2'))).toBeNull();
  });

  test('a task that goes on; one that begins again may be another', () => {
    expect(finding(planGoesOn, task(1, 'in_progress'), task(2, 'completed'))).not.toBeNull();
    expect(finding(planGoesOn, task(1, 'completed'), task(2, 'in_progress'))).toBeNull();
    expect(finding(planGoesOn, task(1, 'in_progress'), task(2, 'in_progress'))).toBeNull();
  });
});

describe('decided again', () => {
  const asked = (at: number, answers: Readonly<Record<string, string>>): TestCall => ({
    at,
    tool: 'AskUserQuestion',
    input: { questions: Object.keys(answers).map((question) => ({ question })) },
    output: { answers },
  });

  test('the same question with another answer', () => {
    const found = finding(
      decidedAgain,
      asked(1, { 'Which store?': 'SQLite' }),
      asked(2, { 'Which store?': 'Postgres' }),
    );
    expect(found?.evidence).toContain('“Which store?” was “SQLite”');
  });

  test('the same answer, another question, or only some of the questions', () => {
    expect(finding(decidedAgain, asked(1, { a: 'x' }), asked(2, { a: 'x' }))).toBeNull();
    expect(finding(decidedAgain, asked(1, { a: 'x' }), asked(2, { b: 'y' }))).toBeNull();
    expect(finding(decidedAgain, asked(1, { a: 'x', b: 'y' }), asked(2, { a: 'z' }))).toBeNull();
  });
});
