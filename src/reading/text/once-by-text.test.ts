import { expect, test } from 'vitest';
import { onceByText } from './once-by-text.ts';

test('reads a text once, again after many others, and equal ones as the same', () => {
  const read: string[] = [];
  const lengthOf = onceByText((text) => read.push(text) && text.length, 64);
  expect([lengthOf('mill'), lengthOf('mi'.concat('ll')), lengthOf('')]).toEqual([4, 4, 0]);
  expect(read).toEqual(['mill', '']);
  for (let at = 0; at < 1_000; at += 1) lengthOf(`mill ${at}`);
  expect(lengthOf('mill')).toBe(4);
  expect(read.filter((text) => text === 'mill')).toHaveLength(2);
});
