import { expect, test } from 'vitest';
import { sentence } from '#core/platform';
import { conditions, findingsIn, lineOf } from './conditions.ts';

const counts = {
  events: 900,
  messages: 0,
  raw: 0,
  summarized: 900,
  skipped: 0,
  summaries: 900,
  embeddings: 900,
};
const well = {
  counts,
  budget: null,
  scope: { state: 'off' },
  scopeFile: '/p/.memd/scope.json',
  backlogMs: null,
  openFilesMax: null,
  tokenReplacedAt: null,
  reported: {},
} as const;

const codes = (figures: Parameters<typeof findingsIn>[0]): string[] =>
  findingsIn(figures).map(({ code }) => code);

test('there are no findings when nothing is wrong', () => {
  expect(findingsIn(well)).toEqual([]);
});

test('a hundred vectors may be missing, one more is a finding (spec 8)', () => {
  expect(codes({ ...well, counts: { ...counts, embeddings: 800 } })).toEqual([]);
  expect(codes({ ...well, counts: { ...counts, embeddings: 799 } })).toEqual(['vectors']);
});

test('a used-up budget is a finding while events wait for it', () => {
  const budget = { dailyTokens: 1_000, remainingTokens: -5 };
  expect(codes({ ...well, budget })).toEqual([]);
  expect(codes({ ...well, budget, counts: { ...counts, raw: 1 } })).toEqual(['budget']);
});

test('each has its code, and one line with its repair', () => {
  const findings = findingsIn({
    ...well,
    counts: { ...counts, skipped: 2 },
    scope: { state: 'invalid', error: 'no JSON' },
    backlogMs: 601_000,
    reported: { capture: ['2 calls are lost. Run `memd start`.'] },
  });
  expect(findings.map(({ code }) => code)).toEqual(['scope', 'capture', 'skipped-rows', 'backlog']);
  expect(findings.map(lineOf)).toEqual([
    `${conditions.scope.sentence}: /p/.memd/scope.json: no JSON. ${sentence(conditions.scope.repair)}`,
    '2 calls are lost. Run `memd start`.',
    `${conditions.skippedRows.sentence}: 2 in all. ${sentence(conditions.skippedRows.repair)}`,
    `${conditions.backlog.sentence}: 0 for 10 min. ${sentence(conditions.backlog.repair)}`,
  ]);
});
