import { type MessagePort, Worker } from 'node:worker_threads';
import type { BackfillTask, FromBackfill } from './messages.ts';
import type { BackfillOptions, BackfillResult } from './run.ts';

export interface BackfillThreadOptions extends Pick<BackfillOptions, 'progress'> {
  /** Transcripts, and folders to look for them in. */
  readonly places: readonly string[];
  readonly dryRun: boolean;
  /** A port of the engine. */
  readonly engine: MessagePort;
  /** The bundle of `worker.ts`. */
  readonly script: URL;
  /** Ends the thread when the asker is gone; what was stored stays. */
  readonly signal: AbortSignal;
}

/**
 * `runBackfill` in a thread of its own, which ends with it: years of transcripts are parsed and redacted
 * without a capture waiting.
 */
export function backfill(options: BackfillThreadOptions): Promise<BackfillResult> {
  const { script, places, dryRun, engine, progress, signal } = options;
  const task: BackfillTask = { places, dryRun, engine };
  const worker = new Worker(script, { workerData: task, transferList: [engine], name: 'backfill' });
  const stop = (): void => void worker.terminate();
  signal.addEventListener('abort', stop, { once: true });
  return new Promise<BackfillResult>((resolve, reject) => {
    worker.on('message', (message: FromBackfill) => {
      if (message.kind === 'progress') progress(message.progress);
      else resolve(message.result);
    });
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('the backfill was stopped')));
  }).finally(() => signal.removeEventListener('abort', stop));
}
