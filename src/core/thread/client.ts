import type { MessagePort, TransferListItem, Worker } from 'node:worker_threads';
import { deserializeError, type FromThread, type ThreadOps, type ToThread } from './protocol.ts';

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** What `call` takes after the op's name: its argument if it has one, and what moves to the thread with it. */
export type CallArguments<Op extends ThreadOps[string]> =
  Parameters<Op> extends [] ? [] : [args: Parameters<Op>[0], transfer?: readonly TransferListItem[]];

/** The requesting side of a thread, over its own port or one that leads to it. */
export class ThreadClient<Ops extends ThreadOps> {
  readonly #port: Worker | MessagePort;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #ended: Error | null = null;

  constructor(port: Worker | MessagePort, onNotice: (notice: unknown) => void = () => {}) {
    this.#port = port;
    port.on('message', (message: FromThread) => {
      if ('notice' in message) onNotice(message.notice);
      else if ('error' in message) this.#take(message.id)?.reject(deserializeError(message.error));
      else this.#take(message.id)?.resolve(message.value);
    });
  }

  call<K extends keyof Ops & string>(
    op: K,
    ...[args, transfer]: CallArguments<Ops[K]>
  ): Promise<Awaited<ReturnType<Ops[K]>>> {
    return this.#request(op, args, transfer) as Promise<Awaited<ReturnType<Ops[K]>>>;
  }

  /** Gives the thread one more port to take requests from. */
  connect(port: MessagePort): void {
    this.#port.postMessage({ connect: port } satisfies ToThread, [port]);
  }

  /** Has the thread end its work, behind what was asked before. */
  async close(): Promise<void> {
    await this.#request('close', undefined);
  }

  /** Nothing more will arrive: rejects what waits, and every later call. */
  abandon(error: Error): void {
    this.#ended ??= error;
    this.rejectPending(error);
  }

  rejectPending(error: Error): void {
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }

  #request(op: string, args: unknown, transfer: readonly TransferListItem[] = []): Promise<unknown> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#port.postMessage({ id, op, args } satisfies ToThread, transfer);
    });
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }
}
