import { scaleOf, vectorHeadBytes } from '#memory/vector';
import { type Kernel, pageBytes } from './kernel.ts';
import { simdKernel } from './simd-kernel.ts';

const scanChunkRows = 4_096;

export interface SumWeights {
  readonly own: number;
  readonly fall: number;
}

/**
 * Packed vectors as rows: `dim` bytes and a float32 scale for each, a quarter of the memory of float32 vectors. The query is kept
 * in 16 bits.
 */
export class PackedVectors {
  readonly #dim: number;
  readonly #stride: number;
  readonly #kernel: Kernel;
  readonly #at: Addresses;
  /** All of the kernel's memory. */
  #bytes: Uint8Array;
  #scales = new Float32Array(64);
  #queryScale = 0;

  /** `sumRows`: how many rows a sum may stretch over. */
  constructor(dim: number, sumRows: number, kernel: Kernel = simdKernel()) {
    this.#dim = dim;
    this.#stride = Math.ceil(dim / 16) * 16;
    this.#kernel = kernel;
    this.#bytes = new Uint8Array(kernel.memory.buffer);
    const results = this.#stride * 2;
    const ahead = results + scanChunkRows * 4;
    const behind = ahead + this.#stride * 4;
    this.#at = { results, ahead, behind, rows: behind + sumRows * this.#stride * 4 };
  }

  /** Puts a packed vector of `dim` numbers (`packVector`) at `row`. @throws RangeError when there is no memory left */
  put(row: number, packed: Uint8Array): void {
    this.#reserve(row + 1);
    this.#bytes.set(packed.subarray(vectorHeadBytes), this.#rowAt(row));
    this.#scales[row] = scaleOf(packed);
  }

  /** Sets the query of `dots`: a vector of unit length, or of zeros. */
  ask(unit: Float32Array): void {
    this.#reserve(0);
    const factors = new Int16Array(this.#kernel.memory.buffer, 0, this.#stride);
    let largest = 0;
    let total = 0;
    for (const value of unit) {
      largest = Math.max(largest, Math.abs(value));
      total += Math.abs(value);
    }
    // A sum of products must stay below 2 ** 31, whatever the row.
    const factor = largest === 0 ? 0 : Math.min(factorMax / largest, 2 ** 30 / (codeMax * total));
    this.#queryScale = factor === 0 ? 0 : 1 / factor;
    for (let k = 0; k < this.#dim; k++) factors[k] = Math.round((unit[k] ?? 0) * factor);
  }

  /** The dot products of the query with `count` rows from `row`, written to `out` by row. */
  dots(row: number, count: number, out: Float32Array): void {
    const results = new Int32Array(this.#kernel.memory.buffer, this.#at.results, scanChunkRows);
    for (let done = 0; done < count; done += scanChunkRows) {
      const first = row + done;
      const some = Math.min(scanChunkRows, count - done);
      this.#kernel.dots(this.#rowAt(first), some, this.#stride, 0, this.#at.results);
      for (let at = 0; at < some; at++)
        out[first + at] = (results[at] ?? 0) * (this.#scales[first + at] ?? 0) * this.#queryScale;
    }
  }

  /**
   * The lengths of `own * v[i] + sum over j of fall^|i-j| * v[j]` for the rows of `rows` between `from` and `until`, written
   * to `out` by row. A pass forward keeps the sum behind each row, a pass backward adds the sum ahead.
   */
  lengthsOfSums(
    rows: readonly number[],
    from: number,
    until: number,
    { own, fall }: SumWeights,
    out: Float32Array,
  ): void {
    const { ahead, behind } = this.#at;
    const wide = this.#stride * 4;
    new Float32Array(this.#kernel.memory.buffer, behind, this.#stride).fill(0);
    new Float32Array(this.#kernel.memory.buffer, ahead, this.#stride).fill(0);
    for (let at = from; at + 1 < until; at++) {
      const row = rows[at] ?? 0;
      const start = behind + (at - from) * wide;
      const scale = this.#scales[row] ?? 0;
      this.#kernel.fallBehind(start, this.#rowAt(row), this.#stride, scale, fall, start + wide);
    }
    for (let at = until - 1; at >= from; at--) {
      const row = rows[at] ?? 0;
      const start = behind + (at - from) * wide;
      const scale = this.#scales[row] ?? 0;
      const square = this.#kernel.squareOfSum(start, ahead, this.#rowAt(row), this.#stride, scale, own, fall);
      out[row] = Math.sqrt(square);
    }
  }

  #rowAt(row: number): number {
    return this.#at.rows + row * this.#stride;
  }

  #reserve(rows: number): void {
    if (rows > this.#scales.length) {
      const larger = new Float32Array(Math.max(rows, this.#scales.length * 2));
      larger.set(this.#scales);
      this.#scales = larger;
    }
    const { memory } = this.#kernel;
    const missing = this.#rowAt(rows) - memory.buffer.byteLength;
    // A page without data costs only address space.
    if (missing <= 0) return;
    memory.grow(Math.ceil(Math.max(missing, memory.buffer.byteLength / 4) / pageBytes));
    this.#bytes = new Uint8Array(memory.buffer);
  }
}

/** Addresses in the kernel's memory. */
interface Addresses {
  readonly results: number;
  /** The sums ahead of a row and behind each row. */
  readonly ahead: number;
  readonly behind: number;
  readonly rows: number;
}

const codeMax = 127;
const factorMax = 32_767;
