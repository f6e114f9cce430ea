import { describe, expect, test } from 'vitest';
import { checkVolume } from './location.ts';
import { checkAmounts } from './memories.ts';
import { quoted, size, some } from './words.ts';

const gib = 1024 ** 3;

describe('a volume', () => {
  const roomy = { bsize: 4096, bavail: gib / 4096, files: 1_000_000, ffree: 500_000 };

  test('with free space is fine, also if inodes are not counted', () => {
    expect(checkVolume('/v', roomy)).toEqual([]);
    expect(checkVolume('/v', { ...roomy, files: 0, ffree: 0 })).toEqual([]);
  });

  test('without free bytes or inodes is reported', () => {
    expect(checkVolume('/v', { ...roomy, bavail: 25_600 })).toEqual([{ detail: '100 MiB free at /v' }]);
    expect(checkVolume('/v', { ...roomy, ffree: 12 })).toEqual([{ detail: '12 inodes free at /v' }]);
  });
});

test('large payloads and a large young database are reported (spec 8)', () => {
  expect(checkAmounts(54_100.4, gib, 30)).toEqual([
    { detail: 'the last 2000 calls have 54100 characters on average' },
  ]);
  expect(checkAmounts(50_000, 2 * gib, 30)).toEqual([{ detail: 'the database has 2.0 GiB after 30 days' }]);
  expect(checkAmounts(0, 2 * gib, 400)).toEqual([]);
});

test('an argument is quoted for a shell', () => {
  expect([quoted('/a/b-1.sqlite'), quoted("/it's here/$HOME"), quoted('')]).toEqual([
    '/a/b-1.sqlite',
    `'/it'\\''s here/$HOME'`,
    "''",
  ]);
});

test('bytes and long lists are shortened', () => {
  expect([0, 1023, 1024, 10.5 * 1024 ** 2, 200 * gib].map(size)).toEqual([
    '0 B',
    '1023 B',
    '1.0 KiB',
    '10.5 MiB',
    '200 GiB',
  ]);
  expect(some(['a', 'b'])).toBe('a, b');
  expect(some([...'abcdefgh'])).toBe('a, b, c, d, e and 3 more');
});
