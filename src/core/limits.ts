/**
 * Every bound of the product, in one place, with its unit last. A limit that a user can move is in
 * `config/keys.ts` instead; these are the ones nobody should need to.
 */
export * from './limits/boundary.ts';
export * from './limits/bridge.ts';
export * from './limits/cli.ts';
export * from './limits/doctor.ts';
export * from './limits/finding.ts';
export * from './limits/install.ts';
export * from './limits/intake.ts';
export * from './limits/mcp.ts';
export * from './limits/memory.ts';
export * from './limits/monitor.ts';
export * from './limits/outline.ts';
export * from './limits/recall.ts';
export * from './limits/retention.ts';
export * from './limits/transcripts.ts';
