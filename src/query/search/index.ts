/**
 * Ranked and explained search: lexical and vector legs, fused, decayed, what supersedes above what it superseded.
 * Promises: any string is a query; `why` gives exactly the numbers that made the order of `search`; a model that
 * is away costs its leg, never the search; vectors of different embedders are never compared.
 * Reads the store (`SearchReads`), never writes to it.
 */
export { createSearcher } from './searcher.ts';
export type { SearchRequest, WhyRequest } from './shapes.ts';
