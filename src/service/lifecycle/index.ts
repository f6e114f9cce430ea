/**
 * Starting and stopping the daemon from the outside: commands and hooks come here.
 * Promises: one daemon a workspace, whoever starts it how often; one of an older version gives way to a newer, never the other
 * way; nothing is signalled that is not proved to be that daemon. The lock in `platform/` decides who lives; pid files only give names.
 */
export { notStarted, watchBeginning } from './beginning.ts';
export { daemonArguments, isAnyDaemon, isDaemonOf } from './daemon-process.ts';
export { isLocked } from './locked.ts';
export { type Started, startDaemon } from './start.ts';
export type { StartMessage } from './start-message.ts';
export { type Stopped, stopDaemon } from './stop.ts';
export { lookAtEvery, type StoppedOne, stopEvery } from './stop-every.ts';
