/**
 * Pings the daemon at an interval and appends each result to `health.ndjson`.
 * It writes complete lines to a private, bounded file, also if several monitors run at the same time, and neither a full disk
 * nor a hanging daemon stops it. It starts and repairs nothing, and needs no database: see `health`.
 */
export { monitor } from './monitor.ts';
