import { type EmbedderCascade, vectorToBlob } from '../embed/index.ts';
import { embedBatchMax } from '../limits.ts';
import { messageOf } from '../platform/index.ts';
import type { Store } from '../store/index.ts';

export interface EmbedOptions {
  readonly store: Store;
  readonly embedders: EmbedderCascade;
  readonly report: (message: string, fields: Readonly<Record<string, string | number>>) => void;
  readonly signal: AbortSignal;
}

/** What a store was like when nothing was missing in it: to look through all summaries again, every tick, costs 0.2 s for 100,000. */
const settled = new WeakMap<Store, string>();

/**
 * Gives every summary that has none a vector of the embedder in force, in batches. Vectors of a stronger one that is away
 * for a while stay.
 */
export async function embedMissing({ store, embedders, report, signal }: EmbedOptions): Promise<void> {
  let behind = 0;
  while (!signal.aborted) {
    const embedder = await embedders.current(signal);
    const { name, version } = embedder;
    const state = `${name} ${version} ${embedders.kept().join(' ')} ${store.ledger.changes()}`;
    if (settled.get(store) === state) return;
    const missing = store.embeddings.missing(name, version, behind, embedBatchMax, embedders.kept());
    const last = missing.at(-1);
    if (last === undefined) {
      // From the first summary on: what was skipped before may be missing.
      if (behind === 0) settled.set(store, state);
      return;
    }
    let vectors: readonly Float32Array[];
    try {
      vectors = await embedder.embed(
        missing.map((one) => `${one.text}\n${one.terms}`),
        signal,
      );
    } catch (error) {
      // The summaries stay without a vector and are found by their words; the next tick tries again.
      report('embedding failed', { embedder: name, error: messageOf(error) });
      embedders.failed(embedder);
      return;
    }
    const rows = missing.flatMap((one, index) => {
      const vector = vectors[index];
      if (vector === undefined) return [];
      return [{ summaryId: one.summaryId, text: one.text, dim: vector.length, vector: vectorToBlob(vector) }];
    });
    store.embeddings.save(name, version, rows);
    behind = last.summaryId;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
