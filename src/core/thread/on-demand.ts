import type { ResourceLimits, Worker } from 'node:worker_threads';
import { Failure } from '#core/platform';
import { type CallArguments, ThreadClient } from './client.ts';
import type { ThreadOps } from './protocol.ts';
import { ended, startThread } from './start.ts';

const closeTimeoutMs = 2_000;

export interface OnDemandThreadOptions {
  readonly script: URL;
  readonly name: string;
  readonly workerData: unknown;
  readonly resourceLimits: ResourceLimits;
  /** How many requests may wait behind the one that runs. */
  readonly queueMax: number;
  /** A thread that takes longer for one request is ended. */
  readonly requestMs: number;
  /** How long the thread stays without work. */
  readonly idleMs: number;
}

interface Task<Ops extends ThreadOps> {
  readonly send: (client: ThreadClient<Ops>) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Running<Ops extends ThreadOps> {
  readonly worker: Worker;
  readonly client: ThreadClient<Ops>;
}

/**
 * A thread that the first request starts and that ends when it is idle. It gets one request at a time: if it dies, that costs the
 * request that it works on, and the next one gets a new thread.
 */
export class OnDemandThread<Ops extends ThreadOps> {
  readonly #options: OnDemandThreadOptions;
  readonly #queue: Task<Ops>[] = [];
  #running: Running<Ops> | null = null;
  #isBusy = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: OnDemandThreadOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** @throws Failure `busy`, `unavailable`, or what the operation throws; any other error is a broken invariant */
  call<K extends keyof Ops & string>(
    op: K,
    ...args: CallArguments<Ops[K]>
  ): Promise<Awaited<ReturnType<Ops[K]>>> {
    if (this.#isClosed) return Promise.reject(stopping());
    const { name, queueMax } = this.#options;
    if (this.#isBusy && this.#queue.length >= queueMax) {
      const what = `the request was not taken: too many requests wait for the ${name} thread`;
      return Promise.reject(new Failure('busy', what, { repair: 'try again' }));
    }
    return new Promise((resolve, reject) => {
      const send = (client: ThreadClient<Ops>): Promise<unknown> => client.call(op, ...args);
      this.#queue.push({ send, resolve: resolve as (value: unknown) => void, reject });
      if (!this.#isBusy) this.#next();
    });
  }

  /** A request may come soon: starts the thread, or keeps it for another `idleMs`. */
  expect(): void {
    if (this.#isClosed || this.#isBusy) return;
    try {
      this.#running ??= this.#start();
    } catch {
      // The request that comes says what is wrong, for example that the program was removed.
    }
    this.#next();
  }

  /** Ends the thread; requests without an answer are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const task of this.#queue.splice(0)) task.reject(stopping());
    await this.#release();
  }

  #next(): void {
    clearTimeout(this.#timer);
    const task = this.#queue.shift();
    this.#isBusy = task !== undefined;
    if (task === undefined) {
      this.#timer = setTimeout(() => void this.#release(), this.#options.idleMs).unref();
      return;
    }
    void this.#run(task)
      .then(task.resolve, task.reject)
      .finally(() => this.#next());
  }

  async #run({ send }: Task<Ops>): Promise<unknown> {
    const { name, requestMs } = this.#options;
    this.#running ??= this.#start();
    const running = this.#running;
    const late = new Failure('unavailable', `the ${name} thread did not answer within ${requestMs} ms`);
    this.#timer = setTimeout(() => this.#lost(running, late), requestMs).unref();
    return send(running.client);
  }

  #start(): Running<Ops> {
    const { script, name, workerData, resourceLimits } = this.#options;
    const worker = startThread(script, { name, workerData, resourceLimits });
    // The daemon may end while this thread runs.
    worker.unref();
    const running = { worker, client: new ThreadClient<Ops>(worker) };
    worker.on('error', (error) => this.#lost(running, error));
    worker.on('exit', () => this.#lost(running, new Error(`the ${name} thread has ended`)));
    return running;
  }

  #lost(running: Running<Ops>, error: Error): void {
    const { client, worker } = running;
    // It closes behind what it is at; see `ended`.
    client.close().catch(() => {});
    client.abandon(error);
    if (running !== this.#running) return;
    this.#running = null;
    void ended(worker);
  }

  /** Has the thread close what it has open; one that hangs is ended after `closeTimeoutMs`. */
  async #release(): Promise<void> {
    clearTimeout(this.#timer);
    const running = this.#running;
    this.#running = null;
    if (running === null) return;
    const { worker, client } = running;
    client.rejectPending(stopping());
    const timer = setTimeout(() => client.abandon(stopping()), closeTimeoutMs);
    await client.close().catch(() => {
      // It hangs, or has ended by itself.
    });
    clearTimeout(timer);
    await ended(worker);
  }
}

function stopping(): Failure {
  return new Failure('unavailable', 'the daemon is stopping');
}
