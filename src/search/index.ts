/**
 * Ranked and explained search: lexical and vector legs, fused, decayed, what supersedes above what it superseded.
 * Promises: any string is a query; `why` gives exactly the numbers that made the order of `search`; a model that
 * is away costs its leg, never the search; vectors of different embedders are never compared.
 * Does not write, and knows the store only by `SearchStore`.
 */
export { createSearcher, type Searcher, type SearcherParts } from './searcher.ts';
export type { Explained, Hit, SearchRequest, SearchSettings, Why, WhyRequest } from './shapes.ts';
export type {
  AskedWord,
  CallPlace,
  ScoredId,
  SearchFilter,
  SearchRow,
  SearchStore,
  Supersession,
  VectorRows,
} from './store-port.ts';
