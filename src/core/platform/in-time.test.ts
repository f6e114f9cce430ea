import { describe, expect, test } from 'vitest';
import { inTime } from './in-time.ts';

const forever = (): never => {
  for (;;);
};

describe('work under a clock', () => {
  test('that ends in time gives its answer, or its error', () => {
    expect(inTime(() => 5, 1_000)).toBe(5);
    expect(() =>
      inTime(() => {
        throw new Error('its own');
      }, 1_000),
    ).toThrow('its own');
  });

  test('that does not end is stopped, whatever it does', () => {
    expect(inTime(forever, 20)).toBeNull();
    expect(inTime(() => /^(?:a+)+$/.test(`${'a'.repeat(60)}b`), 20)).toBeNull();
    expect(inTime(() => 'afterwards', 1_000)).toBe('afterwards');
    expect(inTime(() => 'no time', 0)).toBeNull();
  });

  test('within other such work ends by the clock that runs out first', () => {
    expect(inTime(() => ['inner', inTime(forever, 20)], 60_000)).toEqual(['inner', null]);
    expect(inTime(() => ['inner', inTime(forever, 60_000)], 20)).toBeNull();
    expect(inTime(() => [inTime(() => 1, 1_000), 2], 1_000)).toEqual([1, 2]);
  });
});
