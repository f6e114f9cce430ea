/**
 * Starts and stops the daemon from other processes: commands and hooks.
 * Promises: one daemon per workspace, however many start it; a newer version replaces an older one, never the other way; no process is
 * signalled that is not proved to be that daemon. The lock in `platform/` decides which daemon runs; pid files are only information.
 */
export { notStarted, watchBeginning } from './beginning.ts';
export { daemonArguments, isLocked } from './daemon-process.ts';
export { type Started, type StartMessage, startDaemon } from './start.ts';
export { lookAtEvery, type Stopped, type StoppedOne, stopDaemon, stopEvery } from './stop.ts';
