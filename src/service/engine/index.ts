/**
 * Everything heavy, in one thread beside the socket's: store, consolidation, search.
 * Promises: operations are begun in the order they are asked for; the caller's event loop never waits for
 * SQLite. If the thread ends unasked, its owner is told: the log has all that was acknowledged.
 */
export type { Repaired } from '../../memory/store/index.ts';
export { findDamage } from './check.ts';
export { Engine } from './engine.ts';
export type { EngineOps } from './ops.ts';
