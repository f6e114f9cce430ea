import { Worker } from 'node:worker_threads';
import { messageOf } from '../platform/index.ts';
import type { FromBackfill, ToBackfill } from './messages.ts';
import type { BackfillOptions, BackfillResult } from './run.ts';

export interface BackfillThreadOptions extends BackfillOptions {
  /** The bundle of `worker.ts`. */
  readonly script: URL;
  /** Ends the thread when the asker is gone; what was stored stays. */
  readonly signal: AbortSignal;
}

/**
 * `runBackfill` in a thread of its own, which ends with it: years of transcripts are parsed and redacted
 * without a capture waiting.
 */
export function backfill({
  script,
  files,
  store,
  progress,
  signal,
}: BackfillThreadOptions): Promise<BackfillResult> {
  const worker = new Worker(script, { workerData: { files }, name: 'backfill' });
  const answer = (message: ToBackfill): void => worker.postMessage(message);
  const stop = (): void => void worker.terminate();
  signal.addEventListener('abort', stop, { once: true });
  return new Promise<BackfillResult>((resolve, reject) => {
    worker.on('message', (message: FromBackfill) => {
      if (message.kind === 'progress') progress(message.progress);
      else if (message.kind === 'done') resolve(message.result);
      else store(message.events).then(answer, (error: unknown) => answer({ error: messageOf(error) }));
    });
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('the backfill was stopped')));
  }).finally(() => signal.removeEventListener('abort', stop));
}
