import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packedIn, packVector, scaleOf, unpackVector } from './packed.ts';

const number = fc.float({ min: -1e6, max: 1e6, noNaN: true });
const vector = fc.array(number, { minLength: 1, maxLength: 50 }).map((numbers) => Float32Array.from(numbers));

function lengthOf(one: Float32Array): number {
  return Math.hypot(...one);
}

test('a packed vector has the direction of the other one, within the precision of a byte, and its own length', () => {
  fc.assert(
    fc.property(vector, (one) => {
      const length = lengthOf(one);
      fc.pre(length > 1e-30);
      const packed = packVector(one);
      expect(packed.length).toBe(4 + one.length);
      const back = unpackVector(packed);
      const largest = Math.max(...one.map(Math.abs)) / length;
      let along = 0;
      for (const [at, value] of one.entries()) {
        along += (value / length) * (back[at] ?? 0);
        expect(Math.abs(((packed[4 + at] ?? 0) << 24) >> 24)).toBeLessThanOrEqual(127);
        // Half a code, and what the scale was changed by.
        expect(Math.abs(value / length - (back[at] ?? 0))).toBeLessThanOrEqual(
          largest * (0.5 / 127 + 0.05) + 1e-6,
        );
      }
      expect(along).toBeCloseTo(1, 5);
      expect(scaleOf(packed)).toBeGreaterThan(0);
    }),
  );
});

test('a packed vector is read as it is, and packs to the same codes again', () => {
  fc.assert(
    fc.property(vector, (one) => {
      const packed = packVector(one);
      expect(packedIn(packed, one.length)).toBe(packed);
      // Packed once more it is what it is, but for the rounding of its scale.
      const again = packVector(unpackVector(packed));
      expect([...again.subarray(4)]).toEqual([...packed.subarray(4)]);
    }),
  );
});

test('what is no vector is not read, and what is no number is like nothing', () => {
  expect(packedIn(new Uint8Array(7), 2)).toBeNull();
  expect(packedIn(new Uint8Array(0), 0)).toBeNull();
  expect(packedIn(new Uint8Array(4), 0)).toBeNull();
  expect(packedIn(new Uint8Array(8), 2)).toBeNull();
  expect(packedIn(new Uint8Array(8), -4)).toBeNull();
  expect(packedIn(new Uint8Array(12), 2)).toHaveLength(12);
  for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, 0])
    expect([...packVector(Float32Array.of(odd, odd))]).toEqual([0, 0, 0, 0, 0, 0]);
  for (const scale of [Number.NaN, Number.POSITIVE_INFINITY, -1, 1, 1e30]) {
    const packed = packVector(Float32Array.of(1, 2));
    new DataView(packed.buffer).setFloat32(0, scale, true);
    expect([...unpackVector(packed)]).toEqual([0, 0]);
  }
});

test('the same vector gives the same bytes everywhere', () => {
  const digest = createHash('sha256');
  for (let seed = 1; seed <= 20; seed++) {
    let state = seed;
    const next = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32 - 0.5;
    };
    digest.update(packVector(Float32Array.from({ length: 384 }, next)));
  }
  expect(digest.digest('hex').slice(0, 16)).toBe('9f38513efb4a6f00');
});
