/**
 * Text -> vector: the cascade of embedders, and nearest neighbours.
 * Promises: there is always an embedder; the deterministic one gives the same bits everywhere; vectors of
 * different embedders are never in one index; an embedder that is away for a while loses no vector. Nothing is
 * ever downloaded. Does not read or write the database but through `VectorsKept`, and ranks nothing.
 */
export { chooseEmbedder, type EmbedderCascade, type EmbedderSettings, type VectorsKept } from './choose.ts';
export { deterministicEmbedder } from './deterministic.ts';
export type { Embedder, EmbeddingRole } from './embedder.ts';
export type { Neighbour } from './nearest.ts';
export type { Neighbourhood } from './session-sums.ts';
export { blobToVector, vectorToBlob } from './vector-blob.ts';
export { VectorIndex } from './vector-index.ts';
