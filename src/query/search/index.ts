/**
 * Ranked and explained search: lexical, session and vector legs, fusion, decay, and newer memories above those they supersede.
 * Promises: any string is a query; `why` gives exactly the numbers behind the order of `search`; an absent model costs its leg,
 * never the search; vectors of different embedders are never compared. Only reads the store.
 */
export { Searcher } from './searcher.ts';
export type { Explained, Fitting, Found, Hit, Limits, SearchRequest, Why, WhyRequest } from './shapes.ts';
