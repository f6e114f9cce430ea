import type { MessagePort, Worker } from 'node:worker_threads';
import { startThread } from '../../core/platform/index.ts';
import type { BackfillTask, FromBackfill, Source } from './messages.ts';
import type { BackfillOptions, BackfillResult } from './run.ts';

export interface BackfillThreadOptions extends Pick<BackfillOptions, 'progress'> {
  readonly source: Source;
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
  const { script, source, dryRun, engine, progress, signal } = options;
  const task: BackfillTask = { source, dryRun, engine };
  let worker: Worker;
  try {
    if (signal.aborted) throw stopped();
    worker = startThread(script, { workerData: task, transferList: [engine], name: 'backfill' });
  } catch (error) {
    engine.close();
    return Promise.reject(error);
  }
  const stop = (): void => void worker.terminate();
  signal.addEventListener('abort', stop, { once: true });
  return new Promise<BackfillResult>((resolve, reject) => {
    worker.on('message', (message: FromBackfill) => {
      if (message.kind === 'progress') progress(message.progress);
      else resolve(message.result);
    });
    worker.on('error', reject);
    worker.on('exit', () => reject(stopped()));
  }).finally(() => signal.removeEventListener('abort', stop));
}

function stopped(): Error {
  return new Error('the backfill was stopped');
}
