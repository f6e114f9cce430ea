/** A vector near to the query's. */
export interface Neighbour {
  readonly id: number;
  /** Cosine, -1 to 1. */
  readonly similarity: number;
}

/**
 * Vectors of one dimension in one packed matrix, searched exactly: every row is looked at, so recall is 1. Rows grow by
 * doubling; a removed row is filled by the last one.
 */
export class VectorIndex {
  readonly dim: number;
  #matrix: Float32Array;
  #ids: number[] = [];
  readonly #rowOf = new Map<number, number>();

  constructor(dim: number, capacity = 64) {
    this.dim = dim;
    this.#matrix = new Float32Array(dim * capacity);
  }

  get size(): number {
    return this.#ids.length;
  }

  has(id: number): boolean {
    return this.#rowOf.has(id);
  }

  /** Adds the vector of `id`, or puts it in place of the one it had. @throws RangeError on another dimension. */
  add(id: number, vector: Float32Array): void {
    if (vector.length !== this.dim) {
      throw new RangeError(`a vector of ${vector.length} numbers in an index of ${this.dim}`);
    }
    let row = this.#rowOf.get(id);
    if (row === undefined) {
      row = this.#ids.length;
      if ((row + 1) * this.dim > this.#matrix.length) this.#grow();
      this.#ids.push(id);
      this.#rowOf.set(id, row);
    }
    this.#matrix.set(toUnitLength(vector), row * this.dim);
  }

  /** Whether there was one. */
  remove(id: number): boolean {
    const row = this.#rowOf.get(id);
    const last = this.#ids.length - 1;
    const moved = this.#ids[last];
    if (row === undefined || moved === undefined) return false;
    if (moved !== id) {
      this.#matrix.copyWithin(row * this.dim, last * this.dim, (last + 1) * this.dim);
      this.#ids[row] = moved;
      this.#rowOf.set(moved, row);
    }
    this.#ids.pop();
    this.#rowOf.delete(id);
    return true;
  }

  /** The cosine of `query` and the vector of `id`, or null when there is none. */
  similarity(query: Float32Array, id: number): number | null {
    const row = this.#rowOf.get(id);
    return row === undefined ? null : this.#dot(toUnitLength(query), row);
  }

  /**
   * The `k` vectors nearest to `query` among those whose id is in `only` (null: all) and whose similarity is at
   * least `minSimilarity`, nearest first; of equals the higher id, whatever order they were added in.
   */
  topK(
    query: Float32Array,
    k: number,
    only: ReadonlySet<number> | null = null,
    minSimilarity = -1,
  ): Neighbour[] {
    if (query.length !== this.dim || k <= 0) return [];
    const unit = toUnitLength(query);
    const best: Neighbour[] = [];
    let threshold = minSimilarity;
    for (const [row, id] of this.#ids.entries()) {
      if (only !== null && !only.has(id)) continue;
      const similarity = this.#dot(unit, row);
      if (similarity < threshold) continue;
      insert(best, { id, similarity }, k);
      const worst = best[k - 1];
      if (worst !== undefined) threshold = worst.similarity;
    }
    return best;
  }

  /** Four sums at a time keep the processor's pipelines full; their order is fixed, so are the bits. */
  #dot(unit: Float32Array, row: number): number {
    const matrix = this.#matrix;
    const dim = this.dim;
    const start = row * dim;
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let at = 0;
    for (; at + 3 < dim; at += 4) {
      a += (unit[at] ?? 0) * (matrix[start + at] ?? 0);
      b += (unit[at + 1] ?? 0) * (matrix[start + at + 1] ?? 0);
      c += (unit[at + 2] ?? 0) * (matrix[start + at + 2] ?? 0);
      d += (unit[at + 3] ?? 0) * (matrix[start + at + 3] ?? 0);
    }
    for (; at < dim; at++) a += (unit[at] ?? 0) * (matrix[start + at] ?? 0);
    return a + b + (c + d);
  }

  #grow(): void {
    const larger = new Float32Array(Math.max(this.#matrix.length * 2, this.dim * 64));
    larger.set(this.#matrix);
    this.#matrix = larger;
  }
}

/** Keeps `best` sorted and at most `k` long. Most candidates fail the caller's threshold and never come here. */
function insert(best: Neighbour[], found: Neighbour, k: number): void {
  let low = 0;
  let high = best.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = best[middle];
    if (other !== undefined && isBefore(other, found)) low = middle + 1;
    else high = middle;
  }
  if (low >= k) return;
  best.splice(low, 0, found);
  if (best.length > k) best.pop();
}

function isBefore(a: Neighbour, b: Neighbour): boolean {
  return a.similarity > b.similarity || (a.similarity === b.similarity && a.id > b.id);
}

function toUnitLength(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  if (length === 0 || Math.abs(length - 1) < 1e-6) return vector;
  return vector.map((value) => value / length);
}
