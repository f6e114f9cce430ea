import type { Embedder, EmbeddingRole } from './embedder.ts';
import { ollamaEmbedder } from './ollama.ts';
import { toUnitLength } from './vector-maths.ts';

/** A build of the local runtime's embedding model. */
export interface LocalModel {
  readonly endpoint: string;
  readonly model: string;
  readonly dim: number;
  readonly version: number;
}

/** The local runtime's embedding model as an embedder of the cascade. Vectors of another dimension are a failure. */
export function localEmbedder({ endpoint, model, dim, version }: LocalModel): Embedder {
  const ollama = ollamaEmbedder({ endpoint, model, dim });
  return {
    name: ollama.name,
    dim,
    version,
    // Sentence models put unrelated texts at 0.2 to 0.5; ranks, not this bound, do the work there.
    minSimilarity: 0.3,
    // Unmeasured with such models, and so left out.
    neighbourhood: null,
    legWeight: 1,
    embed: async (texts, signal, role = 'document') => {
      const told = texts.map((text) => withTask(model, role, text));
      const vectors = await ollama.embed(told, signal);
      return vectors.map(toUnitLength);
    },
  };
}

/** nomic-embed-text is trained with a task prefix on every text; its model card asks for it. */
export function withTask(model: string, role: EmbeddingRole, text: string): string {
  return model.startsWith('nomic-embed-text') ? `search_${role}: ${text}` : text;
}
