import { endianness } from 'node:os';
import { simdModule } from './simd-module.ts';

/**
 * The inner loop of a search, over one memory. Addresses and `stride` are in bytes; a row is `stride` signed bytes, a multiple
 * of 16. Both implementations give the same bits.
 */
export interface Kernel {
  readonly memory: ScanMemory;
  /** The dot products of `count` rows from `row` with the int16 vector at `query`, as int32 from `out`. */
  dots(row: number, count: number, stride: number, query: number, out: number): void;
}

export interface ScanMemory {
  /** Another object after it has grown. */
  readonly buffer: ArrayBuffer;
  /** Grows by pages of `pageBytes`, zeros. @throws RangeError when there is no room */
  grow(pages: number): number;
}

export const pageBytes = 65_536;

/**
 * The kernel as WebAssembly SIMD; null in a runtime without it, and on big-endian machines, where typed arrays read WebAssembly's
 * little-endian memory in the wrong order.
 */
export function simdKernel(): Kernel | null {
  if (typeof WebAssembly === 'undefined' || endianness() === 'BE') return null;
  const bytes = simdModule();
  if (!WebAssembly.validate(bytes)) return null;
  const memory = new WebAssembly.Memory({ initial: 1 });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  return { memory, dots: exports.dots };
}

/** The parts that are used here; the module exports the kernel's function. */
declare const WebAssembly: {
  readonly validate: (bytes: Uint8Array<ArrayBuffer>) => boolean;
  readonly Memory: new (limits: { initial: number }) => ScanMemory;
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (
    module: object,
    imports: { env: { memory: ScanMemory } },
  ) => { readonly exports: Pick<Kernel, 'dots'> };
};

/** The kernel in plain JavaScript, for runtimes without WebAssembly SIMD. */
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
  };
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
