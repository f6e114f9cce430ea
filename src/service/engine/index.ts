/**
 * Store, consolidation and search in one thread.
 * Promises: operations start in the order of the calls; the caller's event loop never waits for SQLite. If the thread dies, its owner is
 * called; the log has everything acknowledged.
 */
export type { Repaired } from '#memory/store';
export { findDamage } from './check.ts';
export { type Engine, startEngine } from './engine.ts';
export type { EngineOps } from './ops.ts';
