import { describe, expect, it } from 'vitest';
import { addPlace, type Place, sizeOfPlaces } from './index.ts';

const sizeOf = (...pairs: readonly (readonly [string, string])[]) => {
  const places: Place[] = [];
  for (const [before, after] of pairs)
    addPlace(places, { before: before.split(' '), after: after.split(' ') });
  const { added, removed } = sizeOfPlaces(places);
  return [added, removed];
};

describe('places', () => {
  it.each([
    [
      'inside of what was written',
      [
        ['x', 'grain flour bread'],
        ['flour', 'dough'],
      ],
      [3, 1],
    ],
    [
      'around it',
      [
        ['flour', 'dough'],
        ['grain dough bread', 'grain flour bread'],
      ],
      [0, 0],
    ],
    [
      'across its end',
      [
        ['m oats', 'm oats-and-rye'],
        ['oats-and-rye wheat', 'oats'],
      ],
      [0, 1],
    ],
    [
      'across its begin',
      [
        ['oats m', 'oats-and-rye m'],
        ['wheat oats-and-rye', 'oats'],
      ],
      [0, 1],
    ],
    [
      'over two of them',
      [
        ['a1', 'a2'],
        ['b1', 'b2'],
        ['a2 mid b2', 'a1 mid b1'],
      ],
      [0, 0],
    ],
    [
      'elsewhere',
      [
        ['a1', 'a2'],
        ['c1', 'c2'],
      ],
      [2, 2],
    ],
    [
      'at a bracket that is everywhere',
      [
        ['if', 'if {'],
        ['{ else', 'else'],
      ],
      [1, 1],
    ],
  ] as const)('joins a change %s', (_, pairs, size) => {
    expect(sizeOf(...pairs)).toEqual(size);
  });
});
