import { expect, test } from 'vitest';
import { Given, recallSessionsMax, recallsGivenMax } from './given.ts';

test('what is kept is bounded: the session that was used least recently goes first, and the oldest memory', () => {
  const given = new Given();
  given.add('first', 1);
  given.add('second', 1);
  given.add('first', 2);
  expect([given.has('first', 1), given.has('first', 3), given.has('third', 1)]).toEqual([true, false, false]);
  for (let at = 2; at <= recallSessionsMax; at += 1) given.add(`other ${at}`, 1);
  expect([given.has('first', 1), given.has('second', 1)]).toEqual([true, false]);
  for (let id = 3; id < recallsGivenMax + 3; id += 1) given.add('first', id);
  expect([given.has('first', 1), given.has('first', recallsGivenMax + 2)]).toEqual([false, true]);
});
