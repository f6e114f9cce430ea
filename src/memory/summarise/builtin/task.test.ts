import { describe, expect, test } from 'vitest';
import type { Json, Payload } from '../../../core/event/index.ts';
import { draftSummary } from './draft.ts';

function call(tool: string, input: Json, output: Json = { success: true }): Payload {
  return {
    tool,
    input,
    output,
    sessionId: 's',
    toolUseId: null,
    ts: '2026-01-01T12:00:00.000Z',
    client: 'claude-code',
    isError: false,
    cwd: '/p',
  };
}

const names = ['Grind the rye', 'Bake the bread', 'Sell it'];
const made = names.map((subject, at) =>
  call('TaskCreate', { subject }, { task: { id: String(at + 1), subject } }),
);
const textOf = (calls: readonly Payload[]): string => {
  const [last = call('none', {}), ...before] = [...calls].reverse();
  return draftSummary(last, before).text;
};
const update = (taskId: string, status: string): Payload => call('TaskUpdate', { taskId, status });

describe('an update of a task', () => {
  test('says which one it is when it ends, and how far the plan is', () => {
    expect(textOf([...made, update('1', 'in_progress')])).toBe('Task 1 in progress. 0 of 3 done.');
    expect(textOf([...made, update('1', 'completed')])).toBe(
      'Task 1 completed. “Grind the rye”; 1 of 3 done.',
    );
    const rest = names.map((_, at) => update(String(at + 1), 'completed'));
    expect(textOf([...made, ...rest])).toBe('Task 3 completed. “Sell it”; 3 of 3 done.');
  });

  test('whose other tasks are too long ago gives no number', () => {
    expect(textOf([...made.slice(1), update('2', 'completed')])).toBe('Task 2 completed. “Bake the bread”.');
    expect(textOf([update('2', 'completed')])).toBe('Task 2 completed');
  });

  test('that renames it, or takes it away', () => {
    const renamed = call('TaskUpdate', { taskId: '2', subject: 'Bake rolls' });
    expect(textOf([...made, renamed])).toBe('Plan: Bake rolls');
    expect(textOf([...made, renamed, update('2', 'completed')])).toContain('“Bake rolls”; 1 of 3 done');
    expect(textOf([...made, update('3', 'deleted'), update('1', 'completed')])).toContain('1 of 2 done');
  });

  test('of a client that names tasks in text', () => {
    const created = call('TaskCreate', { subject: 'Mill' }, 'Task #1 created successfully: Mill');
    expect(textOf([created, update('1', 'completed')])).toBe('Task 1 completed. “Mill”; 1 of 1 done.');
  });
});
