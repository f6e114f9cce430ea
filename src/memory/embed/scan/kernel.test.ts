import fs from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import wabt from 'wabt';
import { plainKernel } from '../../../../test/support/embed/plain-kernel.ts';
import { type Kernel, pageBytes } from './kernel.ts';
import { simdKernel, simdModule } from './simd-kernel.ts';

const stride = 32;
const wide = stride * 4;
// Addresses within the first page.
const at = { first: 0, second: 1024, third: 2048, row: 4096, query: 8192, out: 12_288 };

const float = fc.float({ min: -2, max: 2, noNaN: true });
const values = fc.array(float, { minLength: stride, maxLength: stride });
const code = fc.integer({ min: -127, max: 127 });
const row = fc.array(code, { minLength: stride, maxLength: stride });
const positive = fc.float({ min: Math.fround(0.001), max: 2, noNaN: true });

/** What is in the memory of a kernel after `use`, and what that answered. */
function after(kernel: Kernel, use: (kernel: Kernel) => number[]): { answers: number[]; bytes: string } {
  const answers = use(kernel);
  return { answers, bytes: Buffer.from(kernel.memory.buffer).toString('base64') };
}

function bothGiveTheSame(use: (kernel: Kernel) => number[]): void {
  expect(after(simdKernel(), use)).toEqual(after(plainKernel(), use));
}

test('WebAssembly and plain numbers give the same bits: lengths', () => {
  fc.assert(
    fc.property(
      values,
      values,
      row,
      positive,
      positive,
      positive,
      (first, second, codes, scale, own, fall) => {
        bothGiveTheSame((kernel) => {
          const floats = new Float32Array(kernel.memory.buffer);
          floats.set(first, at.first / 4);
          floats.set(second, at.second / 4);
          new Int8Array(kernel.memory.buffer).set(codes, at.row);
          kernel.fallBehind(at.second, at.row, stride, scale, fall, at.third);
          return [kernel.squareOfSum(at.third, at.first, at.row, stride, scale, own, fall)];
        });
      },
    ),
  );
});

test('WebAssembly and plain numbers give the same bits: dot products', () => {
  const factor = fc.integer({ min: -32_767, max: 32_767 });
  const rows = fc.array(row, { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(rows, fc.array(factor, { minLength: stride, maxLength: stride }), (codes, factors) => {
      bothGiveTheSame((kernel) => {
        new Int8Array(kernel.memory.buffer).set(codes.flat(), at.row);
        new Int16Array(kernel.memory.buffer).set(factors, at.query / 2);
        kernel.dots(at.row, codes.length, stride, at.query, at.out);
        return [...new Int32Array(kernel.memory.buffer, at.out, codes.length)];
      });
    }),
  );
});

test('a kernel keeps what it has when its memory grows', () => {
  for (const kernel of [simdKernel(), plainKernel()]) {
    new Int8Array(kernel.memory.buffer)[7] = 9;
    kernel.memory.grow(3);
    expect(kernel.memory.buffer.byteLength).toBe(4 * pageBytes);
    expect(new Int8Array(kernel.memory.buffer)[7]).toBe(9);
  }
  expect(wide).toBeLessThanOrEqual(at.second - at.first);
});

test('the module is what its text assembles to', async () => {
  const source = fs.readFileSync(new URL('scan.wat', import.meta.url), 'utf8');
  const assembled = (await wabt()).parseWat('scan.wat', source, { simd: true });
  assembled.resolveNames();
  assembled.validate();
  expect(simdModule).toBe(Buffer.from(assembled.toBinary({}).buffer).toString('base64'));
});
