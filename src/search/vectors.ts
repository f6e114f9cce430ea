import { setImmediate as nextTurn } from 'node:timers/promises';
import { blobToVector, type Embedder, VectorIndex } from '../embed/index.ts';
import { vectorBatchMax } from '../limits.ts';
import type { SearchStore, StoredVector } from './store-port.ts';

/**
 * The vectors of the embedder in force, in memory, following the database: new rows are read by their `seq`; when
 * the number of rows then still differs, some were deleted and all are read again. Reads in batches and lets
 * other work run between them, so that a first load of many vectors stalls no capture.
 */
export class VectorCache {
  readonly #store: SearchStore;
  #loaded: Loaded | null = null;
  #refreshing: Promise<void> = Promise.resolve();

  constructor(store: SearchStore) {
    this.#store = store;
  }

  /** The vectors of `embedder` as the database has them; null when it has none. */
  async indexFor(embedder: Embedder): Promise<VectorIndex | null> {
    // One refresh at a time: two at once would read the same rows twice.
    const turn = this.#refreshing.then(() => this.#refresh(embedder));
    this.#refreshing = turn.then(
      () => undefined,
      () => undefined,
    );
    return (await turn).index;
  }

  async #refresh(embedder: Embedder): Promise<Loaded> {
    const { name, version } = embedder;
    const dataVersion = this.#store.dataVersion();
    let loaded = this.#loaded;
    if (loaded === null || loaded.name !== name || loaded.version !== version) loaded = fresh(embedder);
    if (loaded.dataVersion === dataVersion) return loaded;
    await this.#readNew(loaded);
    if (countOf(loaded) !== this.#store.vectorCount(name, version)) {
      loaded = fresh(embedder);
      await this.#readNew(loaded);
    }
    while (loaded.index?.prepareSome()) await nextTurn();
    loaded.dataVersion = dataVersion;
    this.#loaded = loaded;
    return loaded;
  }

  async #readNew(loaded: Loaded): Promise<void> {
    for (;;) {
      const rows = this.#store.vectorsAfter(loaded.seq, loaded.name, loaded.version, vectorBatchMax);
      const sessions = this.#sessionsOf(loaded, rows);
      for (const { seq, summaryId, vector } of rows) {
        loaded.seq = seq;
        take(loaded, summaryId, vector, sessions.get(summaryId) ?? '');
      }
      if (rows.length < vectorBatchMax) return;
      await nextTurn();
    }
  }

  /** The sessions of the rows' summaries, for an embedder that wants to know what stands around each. */
  #sessionsOf(loaded: Loaded, rows: readonly StoredVector[]): ReadonlyMap<number, string> {
    if (loaded.neighbourhood === null) return new Map();
    const known = this.#store.rows(rows.map(({ summaryId }) => summaryId));
    return new Map(known.map(({ id, sessionId }) => [id, sessionId]));
  }
}

interface Loaded {
  readonly name: string;
  readonly version: number;
  readonly neighbourhood: Embedder['neighbourhood'];
  index: VectorIndex | null;
  seq: number;
  dataVersion: number | null;
  /** Summaries whose blob is no vector of this index's dimension: counted, never compared. */
  readonly unusable: Set<number>;
}

function fresh({ name, version, neighbourhood }: Embedder): Loaded {
  return { name, version, neighbourhood, index: null, seq: 0, dataVersion: null, unusable: new Set() };
}

function countOf(loaded: Loaded): number {
  return (loaded.index?.size ?? 0) + loaded.unusable.size;
}

function take(loaded: Loaded, id: number, blob: Uint8Array, session: string): void {
  const usable = blob.byteLength > 0 && blob.byteLength % 4 === 0;
  if (usable) loaded.index ??= new VectorIndex(blob.byteLength / 4, loaded.neighbourhood);
  if (usable && loaded.index?.dim === blob.byteLength / 4) {
    loaded.unusable.delete(id);
    loaded.index.add(id, blobToVector(blob), session);
    return;
  }
  loaded.index?.remove(id);
  loaded.unusable.add(id);
}
