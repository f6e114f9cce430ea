import { expect, it } from 'vitest';
import { pendingCallBytesMax, pendingCallsMax } from '#core/limits';
import { PendingCalls } from './pending.ts';

const call = (tool: string) => ({ tool, input: {} });
const where = { sessionId: 's', ts: '2026-01-01T00:00:00.000Z', cwd: null };

it('drops the oldest of too many', () => {
  const pending = new PendingCalls();
  for (let n = 0; n <= pendingCallsMax; n += 1) pending.add(`c${n}`, call(`t${n}`), 1, where);
  expect(pending.take('c0')).toBeUndefined();
  expect(pending.take('c1')?.tool).toBe('t1');
  expect(pending.unanswered()).toBe(pendingCallsMax);
});

it('drops the oldest of too large ones', () => {
  const pending = new PendingCalls();
  for (const id of ['a', 'b', 'c']) pending.add(id, call(id), pendingCallBytesMax / 2, where);
  expect([pending.take('a')?.tool, pending.take('b')?.tool, pending.unanswered()]).toEqual([
    undefined,
    'b',
    2,
  ]);
});

it('counts results without their call, each once', () => {
  const pending = new PendingCalls();
  pending.add('a', call('a'), 1, where);
  for (const id of ['a', 'a', 'b', 'b', 'c']) pending.take(id);
  expect(pending.withoutCall).toBe(2);
});

it('keeps the later of two with the same id, and gives what has no result as unfinished', () => {
  const pending = new PendingCalls();
  pending.add('a', call('first'), 1, where);
  pending.add('a', call('second'), 1, where);
  expect(pending.unfinished()).toMatchObject([
    { tool: 'second', toolUseId: 'a', unfinished: true, ts: where.ts },
  ]);
  expect(pending.take('a')?.tool).toBe('second');
  expect(pending.unanswered()).toBe(0);
});
