import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOlder } from './version.ts';

const version = fc
  .tuple(
    fc.array(fc.nat(20), { minLength: 3, maxLength: 3 }),
    fc.array(fc.constantFrom('a', 'b', '2', '11'), { maxLength: 3 }),
  )
  .map(([numbers, labels]) => numbers.join('.') + (labels.length > 0 ? `-${labels.join('.')}` : ''));

describe('which version is older', () => {
  test('the order of the standard', () => {
    const ordered =
      '0.1.0 0.2.0 0.10.0 1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0 1.0.1'.split(
        ' ',
      );
    for (const [at, one] of ordered.entries()) {
      for (const [otherAt, other] of ordered.entries()) expect(isOlder(one, other)).toBe(at < otherAt);
    }
  });

  test('what is added to a build decides nothing', () => {
    expect([isOlder('1.0.0+1', '1.0.0+2'), isOlder('1.0.0+2', '1.0.0+1')]).toEqual([false, false]);
  });

  test.each(['', 'unknown', '1.0', '0.0.0-source/x', '1.0.0.0'])('nothing is known of "%s"', (text) => {
    expect([isOlder(text, '1.0.0'), isOlder('1.0.0', text)]).toEqual([null, null]);
  });

  test('of two versions at most one is older: two programs never replace each other for ever', () => {
    fc.assert(fc.property(version, version, (a, b) => !(isOlder(a, b) && isOlder(b, a))));
  });
});
