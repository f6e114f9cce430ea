import { type Neighbourhood, SessionBlocks } from './session-blocks.ts';
import { dotOfRow, toUnitLength } from './vector-maths.ts';

/** A vector near to the query's. */
export interface Neighbour {
  readonly id: number;
  /** Cosine, -1 to 1. */
  readonly similarity: number;
}

/**
 * Vectors of one dimension in one packed matrix, searched exactly: every row is looked at, so recall is 1. Rows grow by
 * doubling; a removed row is filled by the last one.
 *
 * With a `neighbourhood`, what the query is compared with is not a vector alone but its sum with those around it in its
 * session (by id), each weighing half as much `halving` calls further off. Cosines of such sums are sums of dot products
 * over the length of the sum, so only those lengths are kept beside the vectors.
 */
export class VectorIndex {
  readonly dim: number;
  #matrix: Float32Array;
  #ids: number[] = [];
  readonly #rowOf = new Map<number, number>();
  readonly #blocks: SessionBlocks | null;

  constructor(dim: number, neighbourhood: Neighbourhood | null = null, capacity = 64) {
    this.dim = dim;
    this.#matrix = new Float32Array(dim * capacity);
    this.#blocks = neighbourhood === null ? null : new SessionBlocks(dim, neighbourhood);
  }

  get size(): number {
    return this.#ids.length;
  }

  has(id: number): boolean {
    return this.#rowOf.has(id);
  }

  /**
   * Adds the vector of `id`, or puts it in place of the one it had. Without a session it has no neighbours.
   * @throws RangeError on another dimension.
   */
  add(id: number, vector: Float32Array, session = ''): void {
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
    this.#blocks?.add(id, session);
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
    this.#blocks?.remove(id);
    return true;
  }

  /** Does a part of what the next search would have to do first; false when nothing is left of it. */
  prepareSome(): boolean {
    return this.#blocks?.measureSome(this.#matrix, this.#rowOf) ?? false;
  }

  /** The cosine of `query` and what stands for `id`, or null when there is no such vector. */
  similarity(query: Float32Array, id: number): number | null {
    const row = this.#rowOf.get(id);
    if (row === undefined) return null;
    const unit = toUnitLength(query);
    const dotOf = (other: number) => this.#dot(unit, this.#rowOf.get(other) ?? row);
    if (this.#blocks === null) return dotOf(id);
    this.#prepare();
    let found: number | null = null;
    this.#blocks.cosinesAround(id, dotOf, (one, cosine) => {
      if (one === id) found = cosine;
    });
    return found;
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
    const consider = (id: number, similarity: number) => {
      if (similarity < threshold || (only !== null && !only.has(id))) return;
      insert(best, { id, similarity }, k);
      const worst = best[k - 1];
      if (worst !== undefined) threshold = worst.similarity;
    };
    if (this.#blocks === null) {
      for (const [row, id] of this.#ids.entries()) {
        if (only === null || only.has(id)) consider(id, this.#dot(unit, row));
      }
      return best;
    }
    this.#prepare();
    this.#blocks.cosines((id) => this.#dot(unit, this.#rowOf.get(id) ?? 0), consider);
    return best;
  }

  #prepare(): void {
    while (this.prepareSome());
  }

  #dot(unit: Float32Array, row: number): number {
    return dotOfRow(unit, this.#matrix, row * this.dim);
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
