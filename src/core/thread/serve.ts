import { type MessagePort, parentPort } from 'node:worker_threads';
import { idleCollector } from './idle-collector.ts';
import { type FromThread, serializeError, type ThreadOps, type ToThread } from './protocol.ts';

/** Sends what no request asked for to the thread that started this one. */
export function notify(notice: unknown): void {
  parentPort?.postMessage({ notice } satisfies FromThread);
}

export interface Served<Ops extends ThreadOps> {
  /** Called by the first request; if it throws, that request fails and the next one calls it again. */
  readonly open: () => Ops;
  /** The error that the other side gets for what an operation threw. */
  readonly explain?: (thrown: unknown, ops: Ops | null) => unknown;
}

/**
 * Answers the requests to this thread. An operation runs immediately up to its first wait, so synchronous ones run in the order of the
 * requests. The memory of a reply that is a `Uint8Array` moves to the other side.
 */
export function serveThread<Ops extends ThreadOps>({
  open,
  explain = (thrown) => thrown,
}: Served<Ops>): void {
  let ops: Ops | null = null;
  const seen = idleCollector();
  const run = (op: string, args: unknown): unknown => {
    if (op === 'close') return ops?.close?.(undefined);
    ops ??= open();
    return ops[op]?.(args);
  };
  const ports = new Set<MessagePort>();
  const serve = (port: MessagePort): void => {
    ports.add(port);
    port.on('close', () => ports.delete(port));
    const reply = (message: FromThread, transfer: ArrayBuffer[] = []): void =>
      port.postMessage(message, transfer);
    const answer = async (id: number, op: string, args: unknown): Promise<void> => {
      try {
        const value = await run(op, args);
        const isOwned = value instanceof Uint8Array && value.buffer instanceof ArrayBuffer;
        reply({ id, value }, isOwned ? [value.buffer] : []);
      } catch (thrown) {
        reply({ id, error: serializeError(explain(thrown, ops)) });
      }
      // Of all ports, so that nothing keeps the thread: it ends when what still runs has.
      if (op === 'close') for (const one of ports) one.close();
    };
    port.on('message', (message: ToThread) => {
      if ('connect' in message) serve(message.connect);
      else {
        seen();
        void answer(message.id, message.op, message.args);
      }
    });
  };
  if (parentPort !== null) serve(parentPort);
}
