import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Why } from '../shapes.ts';
import { decayAt, legsOf, scoreOf } from './reading.ts';

const why: Why = {
  id: 7,
  bm25: { rank: 1, score: 7.15, contribution: 0.016, terms: [{ term: 'redi', word: 'redis', idf: 2 }] },
  vector: { rank: null, similarity: null, contribution: 0, embedder: null },
  legs: { session: { rank: 3, score: 2.5, contribution: 0.048 } },
  decay: { ageDays: 40, factor: 0.88, pinned: false },
  factors: { supersedes: 1.1, strange: 1.5 },
  rrf: { score: (0.016 + 0.048) * 0.88 * 1.1 * 1.5, rank: 2 },
  explanation: '',
  sentence: '',
  state: { verdict: 'unknown', detail: '' },
};

describe('the reading of an explanation', () => {
  it('adds the legs and multiplies all factors, also one that it does not know', () => {
    expect(scoreOf(why)).toBeCloseTo(why.rrf.score, 12);
    expect(legsOf(why).map(({ name, rank }) => [name, rank])).toEqual([
      ['words', 1],
      ['meaning', null],
      ['session', 3],
    ]);
  });

  it('draws a decay that falls from 1 to its floor, and none without a half-life', () => {
    const settings = { halfLifeDays: 30, floor: 0.8 };
    expect(decayAt(0, settings)).toBe(1);
    expect(decayAt(30, settings)).toBeCloseTo(0.9, 12);
    expect(decayAt(1e9, { halfLifeDays: 0, floor: 0.8 })).toBe(1);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), (days) => {
        expect(decayAt(days, settings)).toBeGreaterThanOrEqual(0.8);
        expect(decayAt(days, settings)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
