import type { Neighbourhood } from './session-sums.ts';

/** What a text is embedded for; some models want to be told. */
export type EmbeddingRole = 'document' | 'query';

/** Turns texts into vectors of unit length that can be compared with its own and with no other's. */
export interface Embedder {
  /** `ollama:<model>` or `deterministic`; stored beside every vector. */
  readonly name: string;
  /** Numbers in a vector. Stored vectors of another dimension are made anew. */
  readonly dim: number;
  /** Goes up when the same text gets another vector: stored vectors of an older version are made anew. */
  readonly version: number;
  /** Cosine below which two texts have nothing to do with each other: such a likeness is noise, not a rank. */
  readonly minSimilarity: number;
  /** Whether a summary is judged with those around it in its session (null: by its own vector alone). */
  readonly neighbourhood: Neighbourhood | null;
  /** What its ranks are worth in fusion beside BM25's, which are worth 1. */
  readonly legWeight: number;
  /**
   * One `Float32Array` of `dim` a text, in order, of unit length (or all zero for a text without a word).
   * Rejects with a `Failure` when the model cannot be asked; nothing has changed then.
   */
  embed(texts: readonly string[], signal: AbortSignal, role?: EmbeddingRole): Promise<Float32Array[]>;
}
