import { parentPort, workerData } from 'node:worker_threads';
import type { ToolEvent } from '../event/index.ts';
import type { FromBackfill, Stored, ToBackfill } from './messages.ts';
import { runBackfill } from './run.ts';

/** The backfill's thread: parsing and redaction happen here, storing is asked of the daemon. */
async function main(files: readonly string[]): Promise<void> {
  const post = (message: FromBackfill): void => parentPort?.postMessage(message);
  let settle = (_stored: ToBackfill): void => {};
  parentPort?.on('message', (message: ToBackfill) => settle(message));
  const store = (events: readonly ToolEvent[]): Promise<Stored> =>
    new Promise((resolve, reject) => {
      settle = (answer) => ('error' in answer ? reject(new Error(answer.error)) : resolve(answer));
      post({ kind: 'batch', events });
    });
  const result = await runBackfill({
    files,
    store,
    progress: (progress) => post({ kind: 'progress', progress }),
  });
  post({ kind: 'done', result });
  parentPort?.close();
}

// A rejection here ends the thread with its error, which the daemon hears of.
void main((workerData as { files: readonly string[] }).files);
