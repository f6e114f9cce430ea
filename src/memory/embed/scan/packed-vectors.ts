import { scaleOf, vectorHeadBytes } from '../../vector/index.ts';
import { pageBytes, plainKernel, simdKernel } from './kernel.ts';

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
  readonly #kernel = simdKernel() ?? plainKernel();
  /** The address of the first row, after the query and the dot products. */
  readonly #rows: number;
  #scales = new Float32Array(64);
  #queryScale = 0;
  /** By row of a block: the sum of the rows behind it. */
  #behind = new Float64Array(0);

  constructor(dim: number) {
    this.#dim = dim;
    this.#stride = Math.ceil(dim / 16) * 16;
    this.#rows = this.#results + scanChunkRows * 4;
  }

  /** Puts a packed vector of `dim` numbers (`packVector`) at `row`. @throws RangeError when there is no memory left */
  put(row: number, packed: Uint8Array): void {
    this.#reserve(row + 1);
    const codes = new Uint8Array(this.#kernel.memory.buffer, this.#rowAt(row), this.#dim);
    codes.set(packed.subarray(vectorHeadBytes));
    this.#scales[row] = scaleOf(packed);
  }

  /** Copies row `from` to row `to`. */
  copy(from: number, to: number): void {
    const start = this.#rowAt(from);
    new Int8Array(this.#kernel.memory.buffer).copyWithin(this.#rowAt(to), start, start + this.#stride);
    this.#scales[to] = this.#scales[from] ?? 0;
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
    const results = new Int32Array(this.#kernel.memory.buffer, this.#results, scanChunkRows);
    for (let done = 0; done < count; done += scanChunkRows) {
      const first = row + done;
      const some = Math.min(scanChunkRows, count - done);
      this.#kernel.dots(this.#rowAt(first), some, this.#stride, 0, this.#results);
      for (let at = 0; at < some; at++) {
        out[first + at] = (results[at] ?? 0) * (this.#scales[first + at] ?? 0) * this.#queryScale;
      }
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
    const dim = this.#dim;
    const { buffer } = this.#kernel.memory;
    const size = (until - from) * dim;
    if (this.#behind.length < size) this.#behind = new Float64Array(size);
    const behindOf = (at: number) => this.#behind.subarray((at - from) * dim, (at - from + 1) * dim);
    const ahead = new Float64Array(dim);
    behindOf(from).fill(0);
    for (let at = from; at + 1 < until; at++) {
      const row = rows[at] ?? 0;
      const codes = new Int8Array(buffer, this.#rowAt(row), dim);
      addBehind(codes, fall * (this.#scales[row] ?? 0), fall, behindOf(at), behindOf(at + 1));
    }
    for (let at = until - 1; at >= from; at--) {
      const row = rows[at] ?? 0;
      const codes = new Int8Array(buffer, this.#rowAt(row), dim);
      out[row] = lengthOfSum(codes, this.#scales[row] ?? 0, own, fall, behindOf(at), ahead);
    }
  }

  /** The address of the dot products, after the query. */
  get #results(): number {
    return this.#stride * 2;
  }

  #rowAt(row: number): number {
    return this.#rows + row * this.#stride;
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
    if (missing > 0) memory.grow(Math.ceil(Math.max(missing, memory.buffer.byteLength / 4) / pageBytes));
  }
}

function addBehind(codes: Int8Array, scale: number, fall: number, behind: Float64Array, next: Float64Array) {
  for (let k = 0; k < codes.length; k++) next[k] = fall * (behind[k] ?? 0) + scale * (codes[k] ?? 0);
}

/** Also moves `ahead` on by this row. */
function lengthOfSum(
  codes: Int8Array,
  scale: number,
  own: number,
  fall: number,
  behind: Float64Array,
  ahead: Float64Array,
): number {
  let square = 0;
  for (let k = 0; k < codes.length; k++) {
    const value = scale * (codes[k] ?? 0);
    const next = ahead[k] ?? 0;
    const sum = own * value + (behind[k] ?? 0) + next;
    square += sum * sum;
    ahead[k] = fall * (next + value);
  }
  return Math.sqrt(square);
}

const codeMax = 127;
const factorMax = 32_767;
