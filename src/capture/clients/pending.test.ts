import { expect, it } from 'vitest';
import { pendingCallBytesMax, pendingCallsMax } from '../../core/limits.ts';
import { PendingCalls } from './pending.ts';

it('gives the oldest up past the number, and counts it as unanswered', () => {
  const calls = new PendingCalls<number>();
  for (let at = 0; at < pendingCallsMax + 3; at += 1) calls.add(`id${at}`, at, 1);
  expect(calls.take('id2')).toBeUndefined();
  expect(calls.take('id3')).toBe(3);
  expect(calls.unanswered()).toBe(pendingCallsMax + 2);
});

it('gives the oldest up past the size', () => {
  const calls = new PendingCalls<string>();
  for (const id of ['a', 'b', 'c']) calls.add(id, id, pendingCallBytesMax / 2);
  expect([calls.take('a'), calls.take('b'), calls.take('c')]).toEqual([undefined, 'b', 'c']);
});

it('counts a call that is begun twice once', () => {
  const calls = new PendingCalls<string>();
  calls.add('a', 'first', 1);
  calls.add('a', 'second', 1);
  expect(calls.take('a')).toBe('second');
  expect(calls.unanswered()).toBe(0);
});
