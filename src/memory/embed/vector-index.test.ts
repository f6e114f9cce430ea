import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sessionBlockVectorsMax } from '#core/limits';
import { packVector, unpackVector } from '#memory/vector';
import { runs } from '../../../test/support/runs.ts';
import type { Neighbour } from './nearest.ts';
import { VectorIndex } from './vector-index.ts';

const dim = 5;
const number = fc.integer({ min: -3, max: 3 });
const vector = fc
  .array(number, { minLength: dim, maxLength: dim })
  .filter((numbers) => numbers.some((one) => one !== 0))
  .map((numbers) => Float32Array.from(numbers));
const step = fc.record({ id: fc.integer({ min: 1, max: 30 }), vector });

/** What the index is given of a vector: the bytes it is stored as. */
function stored(one: Float32Array): Float32Array {
  return unpackVector(packVector(one));
}

function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0;
  for (const [at, value] of a.entries()) dot += value * (b[at] ?? 0);
  return dot / (Math.hypot(...a) * Math.hypot(...b));
}

test('gives what a plain sort over all vectors gives, after any additions', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 200 }),
      vector,
      fc.integer({ min: 1, max: 40 }),
      (steps, query, k) => {
        const model = new Map<number, Float32Array>();
        const index = new VectorIndex(dim);
        for (const { id, vector: added } of steps) {
          index.addPacked(id, packVector(added));
          model.set(id, stored(added));
        }
        expect(index.size).toBe(model.size);
        const near = index.topK(query, k);
        expect(near).toHaveLength(Math.min(k, model.size));
        for (const [at, { id, similarity }] of near.entries()) {
          expect(Math.abs(similarity - alongQuery(query, model.get(id) ?? query))).toBeLessThan(
            queryRounding,
          );
          expect(similarity).toBeLessThanOrEqual(near[at - 1]?.similarity ?? 2);
        }
        const worst = near.at(-1)?.similarity ?? -2;
        const taken = new Set(near.map(({ id }) => id));
        for (const [id, one] of model)
          if (!taken.has(id)) expect(alongQuery(query, one)).toBeLessThan(worst + queryRounding);
      },
    ),
    // The exact opposite: rounded, its cosine is a little below -1.
    {
      examples: [
        [[{ id: 1, vector: Float32Array.of(-1, 0, -1, -1, 2) }], Float32Array.of(1, 0, 1, 1, -2), 1],
      ],
    },
  );
});

/** The query is kept in 16 bits. */
const queryRounding = 1e-4;

/** The dot product of a stored vector, which stands for one of unit length, with the query at unit length. */
function alongQuery(query: Float32Array, one: Float32Array): number {
  let dot = 0;
  for (const [at, value] of unit(query).entries()) dot += value * (one[at] ?? 0);
  return dot;
}

test('of several vectors of an id the best counts, also after it has got others, fewer or more', () => {
  const several = fc.record({
    id: fc.integer({ min: 1, max: 12 }),
    vectors: fc.array(vector, { minLength: 1, maxLength: 4 }),
  });
  fc.assert(
    fc.property(
      fc.array(several, { maxLength: 40 }),
      vector,
      fc.integer({ min: 1, max: 14 }),
      (steps, query, k) => {
        const model = new Map<number, number>();
        const index = new VectorIndex(dim);
        for (const { id, vectors } of steps) {
          index.addPacked(id, Buffer.concat(vectors.map((one) => packVector(one))));
          model.set(id, Math.max(...vectors.map((one) => alongQuery(query, stored(one)))));
        }
        expect(index.size).toBe(model.size);
        const near = index.topK(query, k, null, 0.2);
        const expected = [...model.values()].filter((similarity) => similarity >= 0.2).sort((a, b) => b - a);
        expect(new Set(near.map(({ id }) => id)).size).toBe(near.length);
        expect(Math.abs(near.length - Math.min(k, expected.length))).toBeLessThanOrEqual(
          expected.filter((similarity) => similarity < 0.2 + queryRounding).length,
        );
        for (const [at, { id, similarity }] of near.entries()) {
          expect(Math.abs(similarity - (expected[at] ?? 0))).toBeLessThan(queryRounding);
          expect(index.similarity(query, id)).toBe(similarity);
        }
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

const around = { halving: 3, own: 2 };
/** An event stays in its session. */
const sessionOf = (id: number): string => ['', 'a', 'b'][id % 3] ?? '';

/** The same by the definition: every sum made, its length, and its cosine with the query. */
function byDefinition(
  memories: ReadonlyMap<number, { session: string; vector: Float32Array }>,
  query: Float32Array,
): Map<number, { length: number; cosine: number }> {
  const cosines = new Map<number, { length: number; cosine: number }>();
  for (const [id, { session, vector: own }] of memories) {
    const ids = [...memories.keys()].filter((one) => memories.get(one)?.session === session);
    const order = ids.sort((a, b) => a - b);
    const sum = own.map((value) => value * around.own);
    for (const [at, other] of order.entries()) {
      if (other === id || session === '') continue;
      const weight = 2 ** (-Math.abs(at - order.indexOf(id)) / around.halving);
      for (const [k, value] of (memories.get(other)?.vector ?? own).entries())
        sum[k] = (sum[k] ?? 0) + weight * value;
    }
    cosines.set(id, { length: Math.hypot(...sum), cosine: cosine(query, sum) });
  }
  return cosines;
}

function unit(one: Float32Array): Float32Array {
  const length = Math.hypot(...one);
  return one.map((value) => value / length);
}

test('with a neighbourhood, cosines are those of the weighted sums of a session, after any change', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), vector, (steps, query) => {
      const model = new Map<number, { session: string; vector: Float32Array }>();
      const index = new VectorIndex(dim, around);
      for (const { id, vector: added } of steps) {
        index.add(id, added, sessionOf(id));
        model.set(id, { session: sessionOf(id), vector: stored(added) });
      }
      const expected = byDefinition(model, query);
      const found = new Map(index.topK(query, 100).map(({ id, similarity }) => [id, similarity]));
      expect(found.size).toBe(model.size);
      for (const [id, { length, cosine }] of expected) {
        // What rounding costs counts the more, the more of a sum cancels out.
        const off = Math.abs((found.get(id) ?? 9) - cosine);
        if (length > 0.5) expect(off).toBeLessThan(0.001 / length);
        expect(index.similarity(query, id)).toBe(found.get(id));
      }
    }),
  );
});

test('a session longer than a block is searched whole, in whatever order it came', () => {
  const count = 2 * sessionBlockVectorsMax + 10;
  const ids = Array.from({ length: count }, (_, at) => at + 1);
  // One way through all of them that visits far and near ones in turn; 11 has no common divisor with the count.
  const shuffled = ids.map((_, at) => ((at * 11) % count) + 1);
  const vectorOf = (id: number) => Float32Array.of(Math.sin(id), Math.cos(id), 0.1);
  const query = Float32Array.of(0.3, 0.2, 0.9);
  const search = (order: readonly number[]): Neighbour[] => {
    const index = new VectorIndex(3, around);
    for (const id of order) index.add(id, vectorOf(id), 's');
    return index.topK(query, count);
  };
  const inOrder = search(ids);
  const anyOrder = new Map(search(shuffled).map(({ id, similarity }) => [id, similarity]));
  expect(inOrder).toHaveLength(count);
  expect(anyOrder.size).toBe(count);
  // Only what stands at a cut misses neighbours, and there are few cuts.
  const other = inOrder.filter(({ id, similarity }) => Math.abs((anyOrder.get(id) ?? 9) - similarity) > 0.01);
  expect(other.length).toBeLessThan(100);
});

/** Vectors as an embedder makes them: about a hundred of 384 numbers are not 0, some much larger than others. */
function madeVectors(count: number, seed: number): Float32Array[] {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const topics = Array.from({ length: 20 }, () =>
    Array.from({ length: 384 }, () => (random() < 0.15 ? random() - 0.5 : 0)),
  );
  return Array.from({ length: count }, () => {
    const topic = topics[Math.floor(random() * topics.length)] ?? [];
    const own = topic.map((value) => value * 0.7 + (random() < 0.2 ? (random() - 0.5) ** 3 * 4 : 0));
    return unit(Float32Array.from(own));
  });
}

test.each([null, { halving: 10, own: 8 }])(
  'of the ten nearest, 99 in 100 of those by the stored numbers are found, 95 by the numbers as they were made; neighbourhood %j',
  (neighbourhood) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), (seed) => {
        const vectors = madeVectors(400, seed);
        const queries = madeVectors(20, seed + 1);
        const sessionOf = (id: number) => Math.floor(id / 40);
        const index = new VectorIndex(384, neighbourhood);
        for (const [id, one] of vectors.entries()) index.add(id, one, `s${sessionOf(id)}`);
        const common = (of: readonly Float32Array[]): number => {
          const sums = neighbourhood === null ? of : sumsOf(of, neighbourhood, sessionOf);
          return queries.reduce((count, query) => {
            const exact = nearestExactly(sums, query);
            return count + index.topK(query, 10).filter(({ id }) => exact.has(id)).length;
          }, 0);
        };
        expect(common(vectors.map(stored))).toBeGreaterThanOrEqual(0.99 * 10 * queries.length);
        expect(common(vectors)).toBeGreaterThanOrEqual(0.95 * 10 * queries.length);
      }),
      { numRuns: runs(3) },
    );
  },
);

/** The places of the ten nearest, all in float64. */
function nearestExactly(sums: readonly Float32Array[], query: Float32Array): Set<number> {
  const best = sums
    .map((sum, id) => ({ id, similarity: cosine(query, sum) }))
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, 10);
  return new Set(best.map(({ id }) => id));
}

function sumsOf(
  vectors: readonly Float32Array[],
  { halving, own }: typeof around,
  sessionOf: (id: number) => number,
): Float32Array[] {
  return vectors.map((vector, id) => {
    const sum = vector.map((value) => value * own);
    for (const [other, { length }] of vectors.entries()) {
      if (other === id || sessionOf(other) !== sessionOf(id)) continue;
      const weight = 2 ** (-Math.abs(other - id) / halving);
      for (let k = 0; k < length; k++) sum[k] = (sum[k] ?? 0) + weight * (vectors[other]?.[k] ?? 0);
    }
    return sum;
  });
}

test('in whatever order vectors came it answers as a fresh one does, to the bit', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 150 }), vector, fc.boolean(), (steps, query, searches) => {
      const model = new Map<number, Float32Array>();
      const index = new VectorIndex(dim, around);
      for (const { id, vector: added } of steps) {
        index.add(id, added, sessionOf(id));
        model.set(id, added);
        if (searches) index.topK(query, 3);
      }
      const fresh = new VectorIndex(dim, around);
      for (const [id, one] of [...model].sort(([a], [b]) => a - b)) fresh.add(id, one, sessionOf(id));
      expect(index.topK(query, 40)).toEqual(fresh.topK(query, 40));
    }),
  );
});

test('what is no number is like nothing, and an empty index of any dimension finds nothing', () => {
  const index = new VectorIndex(2);
  index.add(1, Float32Array.of(Number.NaN, 1));
  index.add(2, Float32Array.of(Number.POSITIVE_INFINITY, 1));
  index.add(3, Float32Array.of(0, 0));
  index.add(4, Float32Array.of(2, 0));
  expect(index.topK(Float32Array.of(1, 0), 9, null, 0.5).map(({ id }) => id)).toEqual([4]);
  expect(new VectorIndex(8_192, around).topK(new Float32Array(8_192).fill(1), 3)).toEqual([]);
});
