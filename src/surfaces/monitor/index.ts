/**
 * Pings the daemon now and again and keeps what came of it in `health.ndjson`, a line a ping.
 * Promises: what it writes is whole lines, private and bounded, however many monitors write at once; neither a full disk
 * nor a daemon that hangs ends it or holds it up. Starts and mends nothing, and needs no database: see `health`.
 */
export { intervalWords, secondsOf } from './arguments.ts';
export { stopOnSignals } from './signals.ts';
export { writeToStderr } from './stderr.ts';
export { watch } from './watch.ts';
