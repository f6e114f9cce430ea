import { vectorBatchMax } from '../../core/limits.ts';
import { type Embedder, VectorIndex } from '../../memory/embed/index.ts';
import type { SearchReads, VectorRows } from '../../memory/store/index.ts';
import { packedIn, vectorHeadBytes } from '../../memory/vector/index.ts';

const vectorIdRange = 65_536;

/** The vectors of one embedder that have been read, and which summaries have another one. */
export class LoadedVectors {
  /** Null as long as there is no usable vector. */
  index: VectorIndex | null = null;
  /** What the store said of its own version before it was last read; null before the first time. */
  dataVersion: number | null = null;
  readonly #store: SearchReads;
  readonly #embedder: Embedder;
  /** Summaries whose vector is another embedder's, or has another dimension. */
  readonly #apart = new Set<number>();
  #seq = 0;

  constructor(store: SearchReads, embedder: Embedder) {
    this.#store = store;
    this.#embedder = embedder;
  }

  isOf({ name, version, dim }: Embedder): boolean {
    const own = this.#embedder;
    return own.name === name && own.version === version && own.dim === dim;
  }

  /** Takes in rows that have not been read yet, at most `vectorBatchMax`; answers how many. */
  readNew(): number {
    const { name, version, neighbourhood } = this.#embedder;
    const rows = this.#store.vectorsAfter(this.#seq, name, version, vectorBatchMax);
    this.#seq = Math.max(this.#seq, rows.lastSeq);
    const sessions = neighbourhood === null ? [] : this.#store.sessionsOf(rows.summaryIds);
    eachRow(rows, (id, packed, at) => this.#take(id, packed, sessions[at] ?? ''));
    return rows.summaryIds.length;
  }

  /** Lets go of what the database has no longer, looking closer only where ids are missing. */
  dropGone(): void {
    if (this.#known() <= this.#store.vectorCount()) return;
    const ranges = new Map<number, number[]>();
    for (const ids of [this.index?.ids() ?? [], this.#apart]) {
      for (const id of ids) {
        const range = Math.floor(id / vectorIdRange);
        const those = ranges.get(range);
        if (those === undefined) ranges.set(range, [id]);
        else those.push(id);
      }
    }
    for (const [range, ids] of ranges) {
      const from = range * vectorIdRange;
      if (this.#store.vectorCountBetween(from, from + vectorIdRange) === ids.length) continue;
      const there = new Set(this.#store.vectorIdsBetween(from, from + vectorIdRange));
      for (const id of ids) if (!there.has(id)) this.#drop(id);
    }
  }

  #known(): number {
    return (this.index?.size ?? 0) + this.#apart.size;
  }

  #take(id: number, packed: Uint8Array | null, session: string): void {
    const { dim, neighbourhood } = this.#embedder;
    if (packed !== null && packed.length - vectorHeadBytes === dim) {
      this.index ??= new VectorIndex(dim, neighbourhood);
      this.#apart.delete(id);
      this.index.addPacked(id, packed, session);
      return;
    }
    this.index?.remove(id);
    this.#apart.add(id);
  }

  #drop(id: number): void {
    this.index?.remove(id);
    this.#apart.delete(id);
  }
}

/** Tells every row, packed; null for a vector that is another embedder's or is no vector. */
function eachRow(
  { summaryIds, dims, byteLengths, vectors }: VectorRows,
  tell: (id: number, packed: Uint8Array | null, at: number) => void,
): void {
  let start = 0;
  for (const [at, id] of summaryIds.entries()) {
    const end = start + Math.max(0, byteLengths[at] ?? 0);
    tell(id, end === start ? null : packedIn(vectors.subarray(start, end), dims[at] ?? 0), at);
    start = end;
  }
}
