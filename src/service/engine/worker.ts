import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { Failure, messageOf } from '../../core/platform/index.ts';
import { damageFailure, isCorruption, isMoved } from '../../memory/store/index.ts';
import type { FromEngine, SerializedError, ToEngine } from './messages.ts';
import { type EngineOps, type EngineSettings, openEngine } from './ops.ts';

/** The engine's thread: opens the database, says so, then answers operations in the order they come. */
function main(port: MessagePort): void {
  let ops: EngineOps;
  try {
    ops = openEngine(workerData as EngineSettings, (message, fields) =>
      post(port, { kind: 'report', message, fields }),
    );
  } catch (error) {
    post(port, { kind: 'unusable', error: serializeError(error) });
    return;
  }
  serve(ops, port);
  post(port, { kind: 'ready' });
}

function serve(ops: EngineOps, port: MessagePort): void {
  port.on('message', (message: ToEngine) => {
    if ('attach' in message) serve(ops, message.attach);
    else void answer(ops, port, message);
  });
}

/** Runs at once up to its first wait, so that what is synchronous happens in the order it was asked for. */
async function answer(
  ops: EngineOps,
  port: MessagePort,
  { id, op, args }: Exclude<ToEngine, { attach: MessagePort }>,
): Promise<void> {
  const run = ops[op as keyof EngineOps] as (args: unknown) => unknown;
  try {
    post(port, { kind: 'result', id, value: await run(args) });
  } catch (thrown) {
    const error = isCorruption(thrown) ? damaged(ops, messageOf(thrown)) : thrown;
    post(port, { kind: 'failed', id, error: serializeError(error) });
    // Nothing that is done from here on would be found again: the thread ends by this, and the daemon with it.
    if (isMoved(thrown)) throw thrown;
  }
  if (op === 'close') port.close();
}

/** Marks the database for the next start, which mends it, and tells the daemon to end; whoever asks gets words. */
function damaged(ops: EngineOps, what: string): Failure {
  try {
    ops.damaged(what);
  } catch (markError) {
    // Without the mark the next start looks at the file itself, since this daemon leaves its pid file.
    if (parentPort !== null) {
      const fields = { error: messageOf(markError) };
      post(parentPort, { kind: 'report', message: 'the damage could not be marked', fields });
    }
  }
  if (parentPort !== null) post(parentPort, { kind: 'damaged', what });
  return damageFailure(what);
}

function post(port: MessagePort, message: FromEngine): void {
  port.postMessage(message);
}

function serializeError(error: unknown): SerializedError {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  return { message, code: error instanceof Failure ? error.code : null, stack };
}

if (parentPort !== null) main(parentPort);
