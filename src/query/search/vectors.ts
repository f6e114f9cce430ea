import { setImmediate as nextTurn } from 'node:timers/promises';
import { vectorBatchMax } from '#core/limits';
import type { Embedder, VectorIndex } from '#memory/embed';
import type { SearchReads } from '#memory/store';
import { LoadedVectors } from './loaded-vectors.ts';

/**
 * The vectors of the embedder in force, in memory. Follows the database: reads new rows by their `seq`, and all of them if some were
 * removed. Reads in batches, so that a first load of many vectors stalls no capture.
 */
export class VectorCache {
  readonly #store: SearchReads;
  #loaded: LoadedVectors | null = null;
  #refreshing: Promise<void> = Promise.resolve();

  constructor(store: SearchReads) {
    this.#store = store;
  }

  /** The vectors of `embedder` as the database has them; null when it has none. */
  async indexFor(embedder: Embedder): Promise<VectorIndex | null> {
    // One refresh at a time: two would read the same rows twice.
    const turn = this.#refreshing.then(() => this.#refresh(embedder));
    this.#refreshing = turn.then(
      () => undefined,
      () => undefined,
    );
    const { index } = await turn;
    return index === null || index.size === 0 ? null : index;
  }

  /** Gives the memory back; the next search reads them again. */
  drop(): void {
    this.#loaded = null;
  }

  async #refresh(embedder: Embedder): Promise<LoadedVectors> {
    const dataVersion = this.#store.dataVersion();
    let loaded = this.#loaded?.isOf(embedder) ? this.#loaded : new LoadedVectors(this.#store, embedder);
    if (loaded.dataVersion === dataVersion) return loaded;
    await readNew(loaded);
    if (loaded.isStale()) {
      loaded = new LoadedVectors(this.#store, embedder);
      await readNew(loaded);
    }
    this.#loaded = loaded;
    while (loaded.index?.prepareSome()) await nextTurn();
    loaded.dataVersion = dataVersion;
    return loaded;
  }
}

async function readNew(loaded: LoadedVectors): Promise<void> {
  while (loaded.readNew() === vectorBatchMax) await nextTurn();
}
