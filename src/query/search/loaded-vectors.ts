import { vectorBatchMax } from '#core/limits';
import { type Embedder, VectorIndex } from '#memory/embed';
import type { SearchReads, VectorRows } from '#memory/store';
import { packedIn } from '#memory/vector';

/** The vectors of one embedder in memory, and the ids of summaries with another vector. */
export class LoadedVectors {
  /** Null without a usable vector. */
  index: VectorIndex | null = null;
  /** The store's data version before the last read; null before the first. */
  dataVersion: number | null = null;
  readonly #store: SearchReads;
  readonly #embedder: Embedder;
  /** Summaries with a vector of another embedder or dimension. */
  readonly #others = new Set<number>();
  #seq = 0;
  #isReplaced = false;

  constructor(store: SearchReads, embedder: Embedder) {
    this.#store = store;
    this.#embedder = embedder;
  }

  isOf({ name, version, dim }: Embedder): boolean {
    const own = this.#embedder;
    return own.name === name && own.version === version && own.dim === dim;
  }

  /** Reads at most `vectorBatchMax` new rows; returns their number. */
  readNew(): number {
    const { name, version, dim, neighbourhood } = this.#embedder;
    const rows = this.#store.embeddings.rowsAfter(this.#seq, name, version, vectorBatchMax);
    this.#seq = Math.max(this.#seq, rows.lastSeq);
    const sessions = neighbourhood === null ? [] : this.#store.sessionsOf(rows.summaryIds);
    eachRow(rows, dim, (id, packed, at) => this.#take(id, packed, sessions[at] ?? ''));
    return rows.summaryIds.length;
  }

  /**
   * Whether vectors were replaced by those of another embedder, or more than a hundredth removed: then all are to be read again. A search
   * leaves out what has no memory any more.
   */
  isStale(): boolean {
    const known = (this.index?.size ?? 0) + this.#others.size;
    return this.#isReplaced || known - this.#store.embeddings.countAll() > known / 100;
  }

  #take(id: number, packed: Uint8Array | null, session: string): void {
    const { dim, neighbourhood } = this.#embedder;
    if (packed !== null) {
      this.index ??= new VectorIndex(dim, neighbourhood);
      this.#others.delete(id);
      this.index.addPacked(id, packed, session);
      return;
    }
    if (this.index?.has(id)) this.#isReplaced = true;
    this.#others.add(id);
  }
}

/** Calls `visit` with the packed vectors of every memory; null for those of another embedder or dimension, or invalid ones. */
function eachRow(
  { summaryIds, dims, byteLengths, vectors }: VectorRows,
  dim: number,
  visit: (id: number, packed: Uint8Array | null, at: number) => void,
): void {
  let start = 0;
  for (const [at, id] of summaryIds.entries()) {
    const end = start + Math.max(0, byteLengths[at] ?? 0);
    visit(id, dims[at] === dim ? packedIn(vectors.subarray(start, end), dim) : null, at);
    start = end;
  }
}
