import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VectorIndex } from './vector-index.ts';

const dim = 5;
const number = fc.integer({ min: -3, max: 3 });
const vector = fc
  .array(number, { minLength: dim, maxLength: dim })
  .filter((numbers) => numbers.some((one) => one !== 0))
  .map((numbers) => Float32Array.from(numbers));
const step = fc.oneof(
  fc.record({ id: fc.integer({ min: 1, max: 30 }), vector }),
  fc.record({ id: fc.integer({ min: 1, max: 30 }), vector: fc.constant(null) }),
);

function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  for (const [at, value] of a.entries()) dot += value * (b[at] ?? 0);
  return dot / (Math.hypot(...a) * Math.hypot(...b));
}

test('gives what a plain sort over all vectors gives, after any additions and removals', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 200 }),
      vector,
      fc.integer({ min: 1, max: 40 }),
      (steps, query, k) => {
        const index = new VectorIndex(dim, 1);
        const model = new Map<number, Float32Array>();
        for (const { id, vector: added } of steps) {
          if (added === null) expect(index.remove(id)).toBe(model.delete(id));
          else {
            index.add(id, added);
            model.set(id, added);
          }
        }
        expect(index.size).toBe(model.size);
        const near = index.topK(query, k);
        expect(near).toHaveLength(Math.min(k, model.size));
        for (const [at, { id, similarity }] of near.entries()) {
          expect(similarity).toBeCloseTo(cosine(query, model.get(id) ?? query), 5);
          expect(similarity).toBeLessThanOrEqual(near[at - 1]?.similarity ?? 2);
        }
        const worst = near.at(-1)?.similarity ?? -2;
        const taken = new Set(near.map(({ id }) => id));
        for (const [id, one] of model)
          if (!taken.has(id)) expect(cosine(query, one)).toBeLessThan(worst + 1e-5);
      },
    ),
  );
});

test('of equals the higher id comes first, whatever the order of adding', () => {
  for (const ids of [
    [1, 2, 3],
    [3, 1, 2],
  ]) {
    const index = new VectorIndex(2);
    for (const id of ids) index.add(id, Float32Array.of(1, 0));
    expect(index.topK(Float32Array.of(1, 0), 2).map(({ id }) => id)).toEqual([3, 2]);
  }
});

test('filter and bound narrow; another dimension is refused, or like nothing', () => {
  const index = new VectorIndex(2);
  index.add(1, Float32Array.of(1, 0));
  index.add(2, Float32Array.of(0, 1));
  expect(index.topK(Float32Array.of(1, 0), 9, new Set([2]))).toEqual([{ id: 2, similarity: 0 }]);
  expect(index.topK(Float32Array.of(1, 0), 9, null, 0.5)).toEqual([{ id: 1, similarity: 1 }]);
  expect(() => index.add(3, Float32Array.of(1))).toThrow(RangeError);
  expect(index.topK(Float32Array.of(1), 9)).toEqual([]);
});
