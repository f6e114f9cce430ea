import { ollamaDigest, probeOllama } from '#core/model';
import { versionOfBuild } from './builds.ts';
import type { Embedder } from './embedder.ts';
import type { KeptSettings } from './kept-settings.ts';
import { ollamaEmbedder } from './ollama.ts';
import { prefixesOf } from './prefixes.ts';
import { toUnitLength } from './vector-maths.ts';

const embedderTrialTimeoutMs = 15_000;

/** The local runtime's embedding model. */
export interface LocalModel {
  readonly endpoint: string;
  readonly model: string;
}

/**
 * The local runtime's embedder if it can embed now, else null. Embeds a word to find out: a runtime without the model is of no
 * use. The word's vector gives the dimension; another dimension, build or prefix under the same name is another embedder.
 */
export async function findLocalEmbedder(
  local: LocalModel,
  settings: KeptSettings,
  signal: AbortSignal,
): Promise<Embedder | null> {
  const { endpoint, model } = local;
  try {
    const runtime = await probeOllama(endpoint, signal);
    if (runtime.state !== 'ready') return null;
    // The first request loads the model, which takes seconds.
    const trial = ollamaEmbedder({ ...local, timeoutMs: embedderTrialTimeoutMs });
    const { document: prefix } = prefixesOf(model);
    const [probe] = await trial.embed([`${prefix}probe`], signal);
    const digest = await ollamaDigest(endpoint, model, signal);
    const version = versionOfBuild(settings, { name: trial.name, digest, texts: `passages: ${prefix}` });
    return localEmbedder(local, probe?.length ?? 0, version);
  } catch {
    // The deterministic embedder takes over; the next look tries again.
    return null;
  }
}

function localEmbedder({ endpoint, model }: LocalModel, dim: number, version: number): Embedder {
  const ollama = ollamaEmbedder({ endpoint, model, dim });
  const prefixes = prefixesOf(model);
  return {
    name: ollama.name,
    dim,
    version,
    // Sentence models put unrelated texts at 0.2 to 0.5; ranks, not this bound, do the work.
    minSimilarity: 0.3,
    byPassage: true,
    // Unmeasured with such models, and so left out.
    neighbourhood: null,
    byScore: true,
    // Chosen on half of 135 talk questions (docs/research). A small encoder was measured.
    legWeight: 0.75,
    embed: async (texts, signal, role = 'document') => {
      const vectors = await ollama.embed(
        texts.map((text) => prefixes[role] + text),
        signal,
      );
      return vectors.map(toUnitLength);
    },
  };
}
