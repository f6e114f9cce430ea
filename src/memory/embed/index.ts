/**
 * Text -> vector: the cascade of embedders, and nearest neighbours.
 * Promises: there is always an embedder; the deterministic one gives the same bits everywhere; vectors of
 * different embedders are never in one index; an embedder that is away for a while loses no vector. Nothing is
 * ever downloaded. Does not read or write the database but through `VectorsKept`, and ranks nothing.
 */
export { chooseEmbedder, type EmbedderCascade } from './choose.ts';
export { deterministicEmbedder } from './deterministic.ts';
export type { Embedder } from './embedder.ts';
export { vectorToBlob } from './vector-blob.ts';
export { VectorIndex } from './vector-index.ts';
