/**
 * Requests to worker threads: one protocol for all of them.
 * Promises: operations begin in the order in which they are asked for; every request is answered or rejected, also when its thread
 * dies; a `Failure` keeps its code and message. Does not know what the operations do.
 */
export { ThreadClient } from './client.ts';
export { collectGarbage, idleCollector } from './idle-collector.ts';
export { OnDemandThread, type OnDemandThreadOptions } from './on-demand.ts';
export type { ThreadOps } from './protocol.ts';
export { notify, serveThread } from './serve.ts';
export { ended, startThread } from './start.ts';
