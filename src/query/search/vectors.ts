import { setImmediate as nextTurn } from 'node:timers/promises';
import { vectorBatchMax } from '../../core/limits.ts';
import type { Embedder, VectorIndex } from '../../memory/embed/index.ts';
import type { SearchReads } from '../../memory/store/index.ts';
import { LoadedVectors } from './loaded-vectors.ts';

/**
 * The vectors of the embedder in force, in memory. Follows the database: reads new rows by their `seq`, and looks for deleted ones
 * if the database has fewer rows. Reads in batches, so that a first load of many vectors stalls no capture.
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
    if (!this.#loaded?.isOf(embedder)) this.#loaded = new LoadedVectors(this.#store, embedder);
    const loaded = this.#loaded;
    if (loaded.dataVersion === dataVersion) return loaded;
    while (loaded.readNew() === vectorBatchMax) await nextTurn();
    loaded.dropGone();
    while (loaded.index?.prepareSome()) await nextTurn();
    loaded.dataVersion = dataVersion;
    return loaded;
  }
}
