import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Why } from '../shapes.ts';
import { decayAt, legsOf, ordinal, scoreOf, sentence } from './reading.ts';

const why: Why = {
  id: 7,
  bm25: { rank: 1, score: 7.15, contribution: 0.016, terms: [{ term: 'redi', word: 'redis', idf: 2 }] },
  vector: { rank: null, similarity: null, contribution: 0, embedder: null },
  legs: { session: { rank: 3, score: 2.5, contribution: 0.048 } },
  decay: { ageDays: 40, factor: 0.88, pinned: false },
  factors: { supersedes: 1.1, strange: 1.5 },
  rrf: { score: (0.016 + 0.048) * 0.88 * 1.1 * 1.5, rank: 2 },
  explanation: '',
  state: { verdict: 'unknown', detail: '' },
};

describe('the reading of an explanation', () => {
  it('adds the legs and multiplies all factors, also those it has no words for', () => {
    expect(scoreOf(why)).toBeCloseTo(why.rrf.score, 12);
    expect(legsOf(why).map(({ name, rank }) => [name, rank])).toEqual([
      ['words', 1],
      ['meaning', null],
      ['session', 3],
    ]);
  });

  it('says it in a sentence', () => {
    expect(sentence(why)).toBe(
      'Ranked 2nd: it has “redis”, what stands around it fits too, its age lowers it, replacing a memory that fits better raises it ' +
        'and strange raises it.',
    );
    expect(sentence({ ...why, decay: { ...why.decay, pinned: true, factor: 1 }, factors: {} })).toMatch(
      /and it is pinned, so its age does not count\.$/,
    );
    expect(sentence({ ...why, rrf: { score: 0, rank: null } })).toBe('This query does not find this memory.');
  });

  it('names ranks', () => {
    expect([1, 2, 3, 4, 11, 12, 13, 21, 102, 111].map(ordinal).join(' ')).toBe(
      '1st 2nd 3rd 4th 11th 12th 13th 21st 102nd 111th',
    );
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
