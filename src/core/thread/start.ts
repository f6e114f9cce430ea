import { Worker, type WorkerOptions } from 'node:worker_threads';
import { Failure, messageOf, programChanged, systemRepair } from '#core/platform';

/**
 * A thread of this program.
 * @throws Failure `unavailable` when the system refuses a thread, or the program has changed since its start
 */
export function startThread(script: URL, options: WorkerOptions): Worker {
  const changed = programChanged();
  if (changed !== null) throw changed;
  try {
    return new Worker(script, options);
  } catch (error) {
    const repair = systemRepair(error) ?? 'run `memd restart`';
    throw new Failure('unavailable', `a thread could not be started: ${messageOf(error)}`, {
      repair,
      cause: error,
    });
  }
}

const endTimeoutMs = 2_000;

/**
 * Settles when a closed thread has ended; one that does not end by itself is ended. It is left the time, since a thread that is ended
 * from outside while it is in SQLite's native code takes the whole process with it: the addon cannot throw into a stopped JavaScript.
 */
export async function ended(worker: Worker): Promise<void> {
  // A thread that has ended has no id.
  if (worker.threadId === -1) return;
  const timer = setTimeout(() => void worker.terminate(), endTimeoutMs);
  // `once` of `node:events` would reject when the thread has an error.
  await new Promise<void>((resolve) => void worker.once('exit', () => resolve()));
  clearTimeout(timer);
}
