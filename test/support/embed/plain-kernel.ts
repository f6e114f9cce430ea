import { type Kernel, pageBytes, type ScanMemory } from '../../../src/memory/embed/scan/kernel.ts';

/**
 * The kernel in plain JavaScript, to test the other one. Sums are taken in the order of
 * the four lanes and rounded to float32 after each step, so that their bits are the same.
 */
export function plainKernel(): Kernel {
  const memory = new PlainMemory();
  return {
    memory,
    dots: (row, count, stride, query, out) => {
      const codes = new Int8Array(memory.buffer, row, count * stride);
      const factors = new Int16Array(memory.buffer, query, stride);
      const results = new Int32Array(memory.buffer, out, count);
      for (let at = 0; at < count; at++) {
        let sum = 0;
        for (let k = 0; k < stride; k++) sum += (codes[at * stride + k] ?? 0) * (factors[k] ?? 0);
        results[at] = sum;
      }
    },
    fallBehind: (behind, row, stride, scale, fall, out) => {
      const codes = new Int8Array(memory.buffer, row, stride);
      const sums = new Float32Array(memory.buffer, behind, stride);
      const results = new Float32Array(memory.buffer, out, stride);
      const [scale32, fall32] = [round(scale), round(fall)];
      for (let k = 0; k < stride; k++) {
        results[k] = fall32 * round((sums[k] ?? 0) + round((codes[k] ?? 0) * scale32));
      }
    },
    squareOfSum: (behind, ahead, row, stride, scale, own, fall) => {
      const codes = new Int8Array(memory.buffer, row, stride);
      const sums = new Float32Array(memory.buffer, behind, stride);
      const aheads = new Float32Array(memory.buffer, ahead, stride);
      const [scale32, own32, fall32] = [round(scale), round(own), round(fall)];
      const lanes = new Float32Array(4);
      for (let k = 0; k < stride; k++) {
        const value = round((codes[k] ?? 0) * scale32);
        const next = aheads[k] ?? 0;
        aheads[k] = fall32 * round(next + value);
        const sum = round(round(round(own32 * value) + (sums[k] ?? 0)) + next);
        lanes[k & 3] = (lanes[k & 3] ?? 0) + round(sum * sum);
      }
      return joined(lanes);
    },
  };
}

const round = Math.fround;

function joined([a = 0, b = 0, c = 0, d = 0]: Float32Array): number {
  return round(round(round(a + b) + c) + d);
}

class PlainMemory implements ScanMemory {
  buffer = new ArrayBuffer(pageBytes);

  grow(pages: number): number {
    const larger = new ArrayBuffer(this.buffer.byteLength + pages * pageBytes);
    new Uint8Array(larger).set(new Uint8Array(this.buffer));
    this.buffer = larger;
    return larger.byteLength / pageBytes - pages;
  }
}
