import { parentPort, workerData } from 'node:worker_threads';
import { Failure } from '../platform/index.ts';
import type { FromEngine, ThrownAway, ToEngine } from './messages.ts';
import { type EngineOps, type EngineSettings, openEngine } from './ops.ts';

/** The engine's thread: opens the database, says so, then answers operations in the order they come. */
function main(): void {
  const post = (message: FromEngine): void => parentPort?.postMessage(message);
  let ops: EngineOps;
  try {
    ops = openEngine(workerData as EngineSettings, (message, fields) =>
      post({ kind: 'report', message, fields }),
    );
  } catch (error) {
    post({ kind: 'unusable', error: thrownAway(error) });
    return;
  }
  parentPort?.on('message', ({ id, op, args }: ToEngine) => {
    void answer(ops, op, args)
      .then(
        (value) => post({ kind: 'result', id, value }),
        (error: unknown) => post({ kind: 'failed', id, error: thrownAway(error) }),
      )
      .then(() => {
        if (op === 'close') parentPort?.close();
      });
  });
  post({ kind: 'ready' });
}

/** Runs at once up to its first wait, so that what is synchronous happens in the order it was asked for. */
async function answer(ops: EngineOps, op: string, args: unknown): Promise<unknown> {
  const run = ops[op as keyof EngineOps] as (args: unknown) => unknown;
  return await run(args);
}

function thrownAway(error: unknown): ThrownAway {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  return { message, code: error instanceof Failure ? error.code : null, stack };
}

main();
