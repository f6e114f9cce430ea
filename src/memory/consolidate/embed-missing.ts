import { messageOf } from '#core/platform';
import type { Embedder, EmbedderCascade } from '#memory/embed';
import { notIndexed, passagesIn, refusedVector, type Store, type Unembedded } from '#memory/store';
import type { BatchRun } from '#memory/summarise';
import { packVector } from '#memory/vector';
import { embedEach } from './embed-each.ts';

const embedBatchMax = 64;

export interface EmbedOptions extends BatchRun {
  readonly embedders: EmbedderCascade;
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
    const all = store.embeddings.missing(embedder, behind, embedBatchMax, embedders.kept());
    const missing = batchOf(all, embedder);
    const last = missing.at(-1);
    if (last === undefined) {
      // Only a pass from the first summary on proves that nothing is missing.
      if (behind === 0) settled.set(store, state);
      return;
    }
    let vectors: readonly (Float32Array | null)[];
    try {
      const texts = missing.flatMap((one) => one.texts);
      vectors = texts.length === 0 ? [] : await embedEach(embedder, texts, signal);
    } catch (error) {
      // Search finds these summaries by their words; the next tick tries again.
      report('embedding failed', { embedder: name, error: messageOf(error) });
      embedders.failed(embedder);
      return;
    }
    let from = 0;
    const rows = missing.map(({ summaryId, text, texts }) => {
      const own = vectors.slice(from, from + texts.length).filter((vector) => vector !== null);
      from += texts.length;
      if (own.length > 0)
        return { summaryId, text, dim, vector: Buffer.concat(own.map((vector) => packVector(vector))) };
      if (texts.length > 0)
        report('the embedder refused a summary, which is found by its words alone', {
          embedder: name,
          summary: summaryId,
        });
      // A vector of no dimension counts as embedded and is near nothing.
      return { summaryId, text, dim: 0, vector: refusedVector };
    });
    store.embeddings.save(name, version, rows);
    behind = last.summaryId;
    done += missing.length;
    progress?.(done);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/** The first of `missing` with their texts, at most `embedBatchMax` of those but for one memory. */
function batchOf(missing: readonly Unembedded[], embedder: Embedder): (Unembedded & { texts: string[] })[] {
  let count = 0;
  return missing
    .map((one) => ({ ...one, texts: textsOf(one, embedder) }))
    .filter(({ texts }, at) => {
      count += texts.length;
      return count <= embedBatchMax || at === 0;
    });
}

/** None of a summary that search does not find by itself. */
function textsOf({ text, terms, said }: Unembedded, { byPassage }: Embedder): string[] {
  if (terms === notIndexed) return [];
  const passages = byPassage && said !== null ? passagesIn(said) : null;
  return passages === null || passages.length === 0 ? [`${text}\n${terms}`] : passages;
}
