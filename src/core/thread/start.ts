import { Worker, type WorkerOptions } from 'node:worker_threads';
import { Failure, messageOf, programChanged, systemRepair } from '../platform/index.ts';

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
