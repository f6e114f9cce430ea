import type { Embedder, EmbeddingRole } from './embedder.ts';
import { type OllamaEmbedder, ollamaEmbedder } from './ollama.ts';
import { toUnitLength } from './vector-maths.ts';

export type LocalEmbedder = Embedder & Pick<OllamaEmbedder, 'unavailable'>;

/** The local runtime's embedding model as an embedder of the cascade. */
export function localEmbedder(endpoint: string, model: string): LocalEmbedder {
  const ollama = ollamaEmbedder({ endpoint, model });
  let dim: number | null = null;
  return {
    name: ollama.name,
    get dim() {
      return dim;
    },
    version: 1,
    // Sentence models put unrelated texts at 0.2 to 0.5; ranks, not this bound, do the work there.
    minSimilarity: 0.3,
    // Unmeasured with such models, and so left out.
    neighbourhood: null,
    legWeight: 1,
    unavailable: (signal) => ollama.unavailable(signal),
    embed: async (texts, signal, role = 'document') => {
      const told = texts.map((text) => withTask(model, role, text));
      const vectors = await ollama.embed(told, signal);
      dim = vectors[0]?.length ?? dim;
      return vectors.map(toUnitLength);
    },
  };
}

/** nomic-embed-text is trained with a task prefix on every text; its model card asks for it. */
function withTask(model: string, role: EmbeddingRole, text: string): string {
  return model.startsWith('nomic-embed-text') ? `search_${role}: ${text}` : text;
}
