import { expect, test } from 'vitest';
import { recallSessionsMax, recallToldMax } from '../limits.ts';
import { Told } from './told.ts';

test('a session is told a thing once, another session too', () => {
  const told = new Told();
  expect([told.add('a', 'x'), told.add('a', 'x'), told.add('b', 'x')]).toEqual([true, false, true]);
  expect([told.has('a', 'x'), told.has('a', 'y'), told.has('c', 'x')]).toEqual([true, false, false]);
});

test('what is remembered of sessions is bounded: those go first that were not heard of for longest', () => {
  const told = new Told();
  told.add('first', 'x');
  told.add('second', 'x');
  told.add('first', 'y');
  for (let at = 2; at <= recallSessionsMax; at += 1) told.add(`other ${at}`, 'x');
  expect([told.has('first', 'x'), told.has('second', 'x')]).toEqual([true, false]);
  for (let at = 0; at < recallToldMax; at += 1) told.add('first', `thing ${at}`);
  expect([told.has('first', 'x'), told.has('first', `thing ${recallToldMax - 1}`)]).toEqual([false, true]);
});
