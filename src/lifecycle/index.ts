/**
 * Starting and stopping the daemon from the outside: commands and hooks come here.
 * Promises: one daemon a workspace, whoever starts it how often; nothing is signalled that is not proved to be
 * that daemon. The lock in `platform/` decides who lives; pid files only give names.
 */
export { isLocked } from './locked.ts';
export { daemonPid, type Started, startDaemon } from './start.ts';
export type { StartMessage } from './start-message.ts';
export { type Stopped, stopDaemon } from './stop.ts';
