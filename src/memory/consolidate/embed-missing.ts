import { messageOf } from '../../core/platform/index.ts';
import type { EmbedderCascade } from '../embed/index.ts';
import { notIndexed, refusedVector, type Store } from '../store/index.ts';
import { packVector } from '../vector/index.ts';
import { embedEach } from './embed-each.ts';

const embedBatchMax = 64;

export interface EmbedOptions {
  readonly store: Store;
  readonly embedders: EmbedderCascade;
  readonly report: (message: string, fields: Readonly<Record<string, string | number>>) => void;
  readonly signal: AbortSignal;
  /** Whether to end before the next batch. */
  readonly yields?: () => boolean;
  /** Takes the number of summaries embedded in this run, after each batch. */
  readonly progress?: (done: number) => void;
}

/** The state of a store without missing vectors: to check all summaries at every tick costs 0.2 s for 100,000. */
const settled = new WeakMap<Store, string>();

/** Embeds every summary without a vector of the embedder in force, in batches. Keeps vectors of `embedders.kept()`. */
export async function embedMissing(options: EmbedOptions): Promise<void> {
  const { store, embedders, report, signal, yields = () => false, progress } = options;
  let behind = 0;
  let done = 0;
  while (!signal.aborted && !yields()) {
    const embedder = await embedders.current(signal);
    const { name, version, dim } = embedder;
    const state = `${name} ${version} ${dim} ${embedders.kept().join(' ')} ${store.connection.changes()}`;
    if (settled.get(store) === state) return;
    const missing = store.embeddings.missing(embedder, behind, embedBatchMax, embedders.kept());
    const last = missing.at(-1);
    if (last === undefined) {
      // Only a pass from the first summary on proves that nothing is missing.
      if (behind === 0) settled.set(store, state);
      return;
    }
    // A vector of no dimension counts as embedded and is near nothing.
    const silent = missing.filter(({ terms }) => terms === notIndexed);
    const spoken = missing.filter(({ terms }) => terms !== notIndexed);
    let vectors: readonly (Float32Array | null)[];
    try {
      const texts = spoken.map((one) => `${one.text}\n${one.terms}`);
      vectors = texts.length === 0 ? [] : await embedEach(embedder, texts, signal);
    } catch (error) {
      // Search finds these summaries by their words; the next tick tries again.
      report('embedding failed', { embedder: name, error: messageOf(error) });
      embedders.failed(embedder);
      return;
    }
    const rows = spoken.flatMap(({ summaryId, text }, index) => {
      const vector = vectors[index];
      if (vector === undefined) return [];
      if (vector !== null) return [{ summaryId, text, dim: vector.length, vector: packVector(vector) }];
      report('the embedder refused a summary, which is found by its words alone', {
        embedder: name,
        summary: summaryId,
      });
      return [{ summaryId, text, dim: 0, vector: refusedVector }];
    });
    const none = silent.map(({ summaryId, text }) => ({ summaryId, text, dim: 0, vector: refusedVector }));
    store.embeddings.save(name, version, [...rows, ...none]);
    behind = last.summaryId;
    done += missing.length;
    progress?.(done);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
