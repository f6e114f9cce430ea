import { embedderTrialTimeoutMs, probeTimeoutMs } from '../limits.ts';
import { localEmbedder } from './local.ts';
import type { EmbedderSource } from './source.ts';

/**
 * The local runtime's embedding model. Whether the runtime can embed is found out by having it embed a word: one that
 * answers but has not the model is of no use.
 */
export function localSource(endpoint: string, model: string): EmbedderSource {
  const local = localEmbedder(endpoint, model);
  const closing = new AbortController();
  return {
    name: local.name,
    look: async (signal) => {
      const within = (timeoutMs: number) =>
        AbortSignal.any([closing.signal, signal, AbortSignal.timeout(timeoutMs)]);
      try {
        if ((await local.unavailable(within(probeTimeoutMs))) !== null) return null;
        // The first question loads the model, which takes seconds.
        await local.embed(['probe'], within(embedderTrialTimeoutMs));
        return local;
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
