import type { Worker } from 'node:worker_threads';
import { startThread, ThreadClient } from '#core/thread';
import type { BackfillOps, BackfillTask } from './messages.ts';
import type { BackfillProgress, BackfillResult } from './run.ts';

export interface BackfillThreadOptions extends BackfillTask {
  /** The bundle of `worker.ts`. */
  readonly script: URL;
  readonly progress: (progress: BackfillProgress) => void;
  /** Ends the thread when the client is gone; what was stored stays. */
  readonly signal: AbortSignal;
}

/** Runs a backfill in a thread of its own, so that no capture waits while years of transcripts are parsed and redacted. */
export async function backfill(options: BackfillThreadOptions): Promise<BackfillResult> {
  const { script, source, dryRun, messages, engine, progress, signal } = options;
  let worker: Worker;
  try {
    if (signal.aborted) throw stopped();
    worker = startThread(script, { name: 'backfill' });
  } catch (error) {
    engine.close();
    throw error;
  }
  const client = new ThreadClient<BackfillOps>(worker, (notice) => progress(notice as BackfillProgress));
  worker.on('error', (error) => client.abandon(error));
  worker.on('exit', () => client.abandon(stopped()));
  const stop = (): void => void worker.terminate();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await client.call('run', { source, dryRun, messages, engine }, [engine]);
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}

function stopped(): Error {
  return new Error('the backfill was stopped');
}
