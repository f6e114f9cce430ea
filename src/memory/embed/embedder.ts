import type { Neighbourhood } from './session-sums.ts';

/** The purpose of an embedding; some models distinguish them. */
export type EmbeddingRole = 'document' | 'query';

/** Turns texts into vectors of unit length, comparable only with its own. */
export interface Embedder {
  /** `ollama:<model>` or `deterministic`; stored with every vector. */
  readonly name: string;
  /** Numbers in a vector. Stored vectors of another dimension are replaced. */
  readonly dim: number;
  /** Increases when the same text gets another vector: stored vectors of an older version are replaced. */
  readonly version: number;
  /** The lowest cosine that counts; below it a similarity is noise. */
  readonly minSimilarity: number;
  /** The same for a query of which no word is stored; `minSimilarity` when it is missing. */
  readonly unknownMinSimilarity?: number;
  /** Whether each passage of a message has a vector: the best counts. Else its summary has one. */
  readonly byPassage: boolean;
  /** Whether a summary is compared together with its neighbours in the session; null: alone. */
  readonly neighbourhood: Neighbourhood | null;
  /** Whether its cosines count in fusion, not its ranks. */
  readonly byScore: boolean;
  /** Its weight in fusion; BM25 has 1. */
  readonly legWeight: number;
  /** The same for a question that looks back; `legWeight` when it is missing. */
  readonly questionLegWeight?: number;
  /**
   * One `Float32Array` of `dim` numbers for each text, in order, of unit length (all zero for a text without a word).
   * Rejects with a `Failure` when the model cannot be asked.
   */
  embed(texts: readonly string[], signal: AbortSignal, role?: EmbeddingRole): Promise<Float32Array[]>;
}
