/**
 * Text -> vector: the choice of the embedder, and the index of nearest neighbours.
 * Promises: an embedder always works; the deterministic one gives the same bits everywhere; vectors of different embedders never
 * share an index; a short absence of an embedder loses no vector. Downloads nothing, ranks nothing, and uses the database
 * only through `VectorsKept`.
 */
export { EmbedderCascade } from './choose.ts';
export { deterministicEmbedder } from './deterministic.ts';
export type { Embedder } from './embedder.ts';
export { VectorIndex } from './vector-index.ts';
