/**
 * Raw events to summaries with vectors, in the daemon's background or in `memd drain`, with the backends and the embedder of the
 * settings. Promises: both drains follow the same rules each time they run; two of them never take the same row.
 */
export { type BackendState, Consolidator, type DrainProgress, type TakeProgress } from './consolidator.ts';
export type { Report } from './options.ts';
