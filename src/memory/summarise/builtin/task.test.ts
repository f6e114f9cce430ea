import { expect, test } from 'vitest';
import type { Json, Payload } from '#core/event';
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

const update = (taskId: string, status: string): Payload => call('TaskUpdate', { taskId, status });

test('an update of a task says which one it is and how it stands, or its new name', () => {
  expect(draftSummary(update('1', 'in_progress')).text).toBe('Task 1 in progress');
  expect(draftSummary(update('2', 'completed')).text).toBe('Task 2 completed');
  const renamed = call('TaskUpdate', { taskId: '2', subject: 'Bake rolls' });
  expect(draftSummary(renamed).text).toBe('Plan: Bake rolls');
});
