import { sessionBlockVectorsMax } from '#core/limits';
import { packedIn, packVector, vectorHeadBytes } from '#memory/vector';
import { Nearest, type Neighbour } from './nearest.ts';
import { PackedVectors } from './scan/packed-vectors.ts';
import { type Neighbourhood, SessionSums } from './session-sums.ts';
import { toUnitLength } from './vector-maths.ts';

/**
 * Vectors of one dimension, packed as they are stored (docs/decisions/022-bytes.md). A search reads all of them. None is removed.
 *
 * With a `neighbourhood` the query is compared with the sum of a vector and its neighbours in the session (by id), whose weight
 * halves every `halving` calls. The cosine of a sum is the sum of dot products over the length of the sum: only those lengths are
 * kept.
 */
export class VectorIndex {
  readonly dim: number;
  readonly #vectors: PackedVectors;
  readonly #sums: SessionSums | null;
  readonly #rowOf = new Map<number, number>();
  /** The further rows of those with several vectors. */
  readonly #further = new Map<number, number[]>();
  /** By row: several have one id. Ids are whole numbers that need not fit into 32 bits. */
  #ids = new Float64Array(64);
  #size = 0;
  /** By row, of the current search. */
  #cosines = new Float32Array(64);

  constructor(dim: number, neighbourhood: Neighbourhood | null = null) {
    this.dim = dim;
    this.#vectors = new PackedVectors(dim, neighbourhood === null ? 0 : sessionBlockVectorsMax);
    const rows = { vectors: this.#vectors, idOf: (row: number) => this.#ids[row] ?? 0 };
    this.#sums = neighbourhood === null ? null : new SessionSums(rows, neighbourhood);
  }

  /** The number of ids. */
  get size(): number {
    return this.#rowOf.size;
  }

  has(id: number): boolean {
    return this.#rowOf.has(id);
  }

  ids(): Float64Array {
    return this.#ids.subarray(0, this.#size);
  }

  /**
   * Adds or replaces the vector of `id`. Without a session it has no neighbours.
   * @throws RangeError on another dimension.
   */
  add(id: number, vector: Float32Array, session = ''): void {
    this.addPacked(id, packVector(vector), session);
  }

  /**
   * The same with packed vectors, one after the other. The best of them counts.
   * @throws RangeError on another dimension.
   */
  addPacked(id: number, packed: Uint8Array, session = ''): void {
    if (packedIn(packed, this.dim) === null)
      throw new RangeError(`vectors of ${packed.length} bytes in an index of ${this.dim} numbers`);
    const bytes = vectorHeadBytes + this.dim;
    const rows = this.#rowsOf(id);
    for (let n = 0; n < Math.max(rows.length, packed.length / bytes); n++) {
      const row = rows[n] ?? this.#newRow(id);
      const one = packed.subarray(n * bytes, (n + 1) * bytes);
      // What an id has no longer is near nothing.
      this.#vectors.put(row, one.length > 0 ? one : new Uint8Array(bytes));
      this.#sums?.add(row, session);
    }
  }

  #rowsOf(id: number): readonly number[] {
    const first = this.#rowOf.get(id);
    return first === undefined ? [] : [first, ...(this.#further.get(id) ?? [])];
  }

  #newRow(id: number): number {
    const row = this.#size;
    if (row === this.#ids.length) this.#grow();
    this.#ids[row] = id;
    this.#size += 1;
    if (this.#rowOf.has(id)) this.#further.set(id, [...(this.#further.get(id) ?? []), row]);
    else this.#rowOf.set(id, row);
    return row;
  }

  /** Does a part of the work that the next search needs; false when none is left. */
  prepareSome(): boolean {
    return this.#sums?.measureSome() ?? false;
  }

  /** The cosine of `query` and `id`, to the bit as in `topK`; null without a vector of `id`. */
  similarity(query: Float32Array, id: number): number | null {
    const rows = this.#rowsOf(id);
    if (rows.length === 0 || query.length !== this.dim) return null;
    const unit = toUnitLength(query);
    this.#vectors.ask(unit);
    this.#prepare();
    const dotAt = (one: number) => this.#vectors.dots(one, 1, this.#cosines);
    for (const row of rows) {
      if (this.#sums === null) dotAt(row);
      else this.#sums.cosinesAround(row, this.#cosines, dotAt);
    }
    return Math.max(...rows.map((row) => this.#cosines[row] ?? 0));
  }

  /**
   * The `k` vectors nearest to `query` among those whose id is in `only` (null: all) and whose similarity is at
   * least `minSimilarity` (rounding takes a cosine a little out of -1 to 1), nearest first, equal ones by descending id.
   */
  topK(
    query: Float32Array,
    k: number,
    only: ReadonlySet<number> | null = null,
    minSimilarity = Number.NEGATIVE_INFINITY,
  ): Neighbour[] {
    if (query.length !== this.dim || k <= 0) return [];
    const unit = toUnitLength(query);
    this.#vectors.ask(unit);
    this.#prepare();
    const cosines = this.#cosines;
    this.#vectors.dots(0, this.#size, cosines);
    this.#sums?.cosines(cosines);
    const nearest = new Nearest(k, minSimilarity);
    for (let row = 0; row < this.#size; row++) {
      const similarity = cosines[row] ?? 0;
      if (similarity < nearest.threshold) continue;
      const id = this.#ids[row] ?? 0;
      if (only === null || only.has(id)) nearest.add(id, similarity);
    }
    return nearest.all();
  }

  #prepare(): void {
    while (this.prepareSome());
    if (this.#cosines.length < this.#ids.length) this.#cosines = new Float32Array(this.#ids.length);
  }

  #grow(): void {
    const larger = new Float64Array(this.#ids.length * 2);
    larger.set(this.#ids);
    this.#ids = larger;
  }
}
