import { probeTimeoutMs } from '../../core/limits.ts';
import { ollamaDigest } from '../../core/model/index.ts';
import type { KeptSettings } from './absences.ts';
import { versionOfBuild } from './builds.ts';
import type { Embedder } from './embedder.ts';
import { localEmbedder, withTask } from './local.ts';
import { ollamaEmbedder } from './ollama.ts';
import type { EmbedderSource } from './source.ts';

const embedderTrialTimeoutMs = 15_000;

/**
 * The local runtime's embedding model. Whether the runtime can embed is found out by having it embed a word: one that
 * answers but has not the model is of no use. That word's vector tells the dimension; another dimension or another build under the
 * same name is another embedder.
 */
export function localSource(endpoint: string, model: string, settings: KeptSettings): EmbedderSource {
  const { name } = ollamaEmbedder({ endpoint, model });
  const closing = new AbortController();
  let last: Embedder | null = null;
  return {
    name,
    look: async (signal) => {
      const within = (timeoutMs: number) =>
        AbortSignal.any([closing.signal, signal, AbortSignal.timeout(timeoutMs)]);
      try {
        // A new one: it holds to the first dimension that it sees.
        const trial = ollamaEmbedder({ endpoint, model });
        if ((await trial.unavailable(within(probeTimeoutMs))) !== null) return null;
        // The first question loads the model, which takes seconds.
        const [probe] = await trial.embed(
          [withTask(model, 'document', 'probe')],
          within(embedderTrialTimeoutMs),
        );
        const dim = probe?.length ?? 0;
        const digest = await ollamaDigest(endpoint, model, within(probeTimeoutMs));
        const version = versionOfBuild(settings, name, digest);
        if (last?.dim !== dim || last.version !== version)
          last = localEmbedder({ endpoint, model, dim, version });
        return last;
      } catch {
        // Whatever the reason, a weaker one takes over; the next look tries again.
        return null;
      }
    },
    forget: () => {},
    close: () => {
      closing.abort();
      return Promise.resolve();
    },
  };
}
