/**
 * The outside world: files, folders, locks, processes, socket addresses.
 * Promises: what it writes whole is whole after a power loss; what it calls private is closed to other
 * users; a lock dies with its holder. Knows nothing of events or memories.
 */

export type { DurableFile } from './descriptor.ts';
export * from './durable-file.ts';
export * from './failure.ts';
export { faultNumber, faultPoint } from './faults.ts';
export * from './files.ts';
export { gitOutput, isInside, runGit } from './git.ts';
export { inTime } from './in-time.ts';
export { LineSplitter, type SplitLine } from './lines.ts';
export { listensUnchecked } from './listening.ts';
export { isHeld, type Lock, takeLock } from './lock.ts';
export { openFilesLeft, openFilesMax } from './open-files.ts';
export { runOwn } from './own-command.ts';
export { atMost, pause, polled } from './pause.ts';
export { commandLine, isAlive } from './process.ts';
export { programChanged, programState } from './program.ts';
export { privateSocketAddress, type SocketAddress, socketAddress } from './socket-address.ts';
export { comparableName, realOrSame, spelledAsStored } from './spelling.ts';
export { systemRepair, withRepair } from './system-trouble.ts';
export { keepOwnRights, underGivenUmask } from './umask.ts';
export { networkVolume } from './volume.ts';
