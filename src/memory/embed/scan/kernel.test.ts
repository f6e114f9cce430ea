import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Kernel, pageBytes, plainKernel, simdKernel } from './kernel.ts';

const stride = 32;
// Addresses within the first page.
const at = { row: 4096, query: 8192, out: 12_288 };

const code = fc.integer({ min: -127, max: 127 });
const row = fc.array(code, { minLength: stride, maxLength: stride });

/** The memory of a kernel after `use`, and its result. */
function after(kernel: Kernel, use: (kernel: Kernel) => number[]): { answers: number[]; bytes: string } {
  const answers = use(kernel);
  return { answers, bytes: Buffer.from(kernel.memory.buffer).toString('base64') };
}

function bothGiveTheSame(use: (kernel: Kernel) => number[]): void {
  const simd = simdKernel();
  if (simd === null) throw new Error('this runtime has no WebAssembly SIMD');
  expect(after(simd, use)).toEqual(after(plainKernel(), use));
}

test('WebAssembly and plain JavaScript give the same dot products', () => {
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

test('a kernel keeps its content when its memory grows', () => {
  for (const kernel of [simdKernel(), plainKernel()]) {
    if (kernel === null) throw new Error('this runtime has no WebAssembly SIMD');
    new Int8Array(kernel.memory.buffer)[7] = 9;
    kernel.memory.grow(3);
    expect(kernel.memory.buffer.byteLength).toBe(4 * pageBytes);
    expect(new Int8Array(kernel.memory.buffer)[7]).toBe(9);
  }
});
