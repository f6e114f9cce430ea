import { describe, expect, test } from 'vitest';
import { lookAtTimes } from './clock.ts';
import { lookAtVolume } from './disk.ts';
import { lookAtNode } from './node.ts';
import { lookAtPayloads, lookAtSize } from './over-capture.ts';
import { quoted, size, some } from './words.ts';

const gib = 1024 ** 3;

test.each([
  ['18.20.4', 1],
  ['20.11.1', 1],
  ['20.12.0', 0],
  ['24.0.0-nightly', 0],
])('Node %s: %i findings', (version, count) => {
  expect(lookAtNode(version)).toHaveLength(count);
});

describe('a volume', () => {
  const roomy = { bsize: 4096, bavail: gib / 4096, files: 1_000_000, ffree: 500_000 };

  test('with room is well, also where inodes are not counted', () => {
    expect(lookAtVolume('/v', roomy)).toEqual([]);
    expect(lookAtVolume('/v', { ...roomy, files: 0, ffree: 0 })).toEqual([]);
  });

  test('without is told of, by bytes and by inodes', () => {
    expect(lookAtVolume('/v', { ...roomy, bavail: 25_600 })).toEqual([{ detail: '100 MiB free at /v' }]);
    expect(lookAtVolume('/v', { ...roomy, ffree: 12 })).toEqual([{ detail: '12 inodes free at /v' }]);
  });
});

describe('a clock', () => {
  const nowMs = Date.parse('2026-06-01T12:00:00Z');
  const well = { nowMs, newest: '2026-06-01T11:00:00.000Z', memory: 7, writtenMs: nowMs - 1_000 };

  test('that agrees with what is stored is well, and so is an empty memory', () => {
    expect(lookAtTimes(well)).toEqual([]);
    expect(lookAtTimes({ nowMs, newest: null, memory: null, writtenMs: null })).toEqual([]);
    expect(lookAtTimes({ ...well, newest: '2026-06-01T12:05:00.000Z' })).toEqual([]);
  });

  test.each([
    [
      'a call of tomorrow',
      { newest: '2026-06-02T12:00:00.000Z' },
      { repair: expect.stringMatching(/^set the clock .*mem forget 7$/) },
    ],
    ['a file of tomorrow', { writtenMs: nowMs + 86_400_000 }, {}],
  ])('is behind by %s', (_what, times, more) => {
    expect(lookAtTimes({ ...well, ...times })).toEqual([
      { detail: expect.stringContaining('it is 2026-06-01T12:00:00.000Z now'), ...more },
    ]);
  });

  test('that is right where a call is not: the memory of that call is named', () => {
    expect(lookAtTimes({ ...well, newest: '9999-12-31T23:59:59.999Z' })).toMatchObject([
      { repair: expect.stringMatching(/where the clock is right, .*mem show 7, mem forget 7$/) },
    ]);
  });

  test('that is years ahead of the newest call is worth a note', () => {
    expect(lookAtTimes({ ...well, newest: '2019-01-01T00:00:00.000Z' })).toMatchObject([
      { severity: 'note' },
    ]);
  });
});

describe('what is captured', () => {
  test('is too much above 50,000 characters a call on the average (spec 8), and who it is from is told', () => {
    const tools = [
      { tool: 'Read', calls: 9, chars: 540_000 },
      { tool: 'Bash', calls: 1, chars: 1_000 },
    ];
    expect(lookAtPayloads(tools)).toEqual([
      { detail: '54100 characters a call on the average of the last 10, 100 % of them from Read' },
    ]);
    expect(lookAtPayloads([{ tool: 'Read', calls: 10, chars: 500_000 }])).toEqual([]);
    expect(lookAtPayloads([])).toEqual([]);
  });

  test('is too much when a young database is larger than 1 GiB (spec 8)', () => {
    expect(lookAtSize(2 * gib, 30)).toEqual([{ detail: 'the database holds 2.0 GiB after 30 days' }]);
    expect(lookAtSize(gib, 30)).toEqual([]);
    expect(lookAtSize(2 * gib, 400)).toEqual([]);
  });
});

test('an argument is quoted for a shell', () => {
  expect([quoted('/a/b-1.sqlite'), quoted("/it's here/$HOME"), quoted('')]).toEqual([
    '/a/b-1.sqlite',
    `'/it'\\''s here/$HOME'`,
    "''",
  ]);
});

test('bytes and long lists are told in short', () => {
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
