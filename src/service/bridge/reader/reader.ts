import type { Worker } from 'node:worker_threads';
import { bridgeReaderHeapMiB } from '../../../core/limits.ts';
import { Failure, startThread } from '../../../core/platform/index.ts';
import type { FromReader, ReadRequest, ToReader } from './messages.ts';

const bridgeReaderIdleMs = 5 * 60_000;
const bridgeReaderWaitMs = 30_000;
const bridgeReaderCloseMs = 2_000;
export const bridgeReaderQueueMax = 64;
const bridgeReaderNurseryMiB = 8;

export interface ReaderOptions {
  /** The bundle of `worker.ts`. */
  readonly script: URL;
  readonly database: string;
  /** How long the thread stays without work. */
  readonly idleMs?: number;
}

interface Waiting {
  readonly resolve: (body: Uint8Array | null) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Reads the database in a thread of its own, which is started by the first read and ended when nobody has asked for a while.
 * If it dies, that costs the reads under way; the next one gets a new thread.
 */
export class Reader {
  readonly #options: ReaderOptions;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  #next = 1;
  #closed = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** Whether a thread is there at the moment. */
  get isRunning(): boolean {
    return this.#worker !== null;
  }

  /**
   * JSON in UTF-8, or null when what was asked for is not there.
   * @throws Failure `busy`, `unavailable`; any other error is a broken invariant
   */
  read(request: ReadRequest): Promise<Uint8Array | null> {
    if (this.#closed) return Promise.reject(stopping());
    if (this.#waiting.size >= bridgeReaderQueueMax) {
      return Promise.reject(new Failure('busy', 'too many reads are waiting; try again'));
    }
    clearTimeout(this.#idle);
    let worker: Worker;
    try {
      worker = this.#worker ??= this.#start();
    } catch (error) {
      return Promise.reject(error);
    }
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const late = new Failure('unavailable', `the database was not read within ${bridgeReaderWaitMs} ms`);
      const timer = setTimeout(() => this.#lost(worker, late), bridgeReaderWaitMs).unref();
      this.#waiting.set(id, { resolve, reject, timer });
      worker.postMessage({ id, request } satisfies ToReader);
    });
  }

  /** Closes the database; what was under way is refused. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = null;
    this.#refuseAll(stopping());
    if (worker !== null) await closed(worker);
  }

  #start(): Worker {
    const { script, database } = this.#options;
    const worker = startThread(script, { name: 'reader', workerData: database, resourceLimits });
    // The daemon's life does not hang on it.
    worker.unref();
    worker.on('message', (message: FromReader) => this.#take(message));
    worker.on('error', (error) => this.#lost(worker, error));
    worker.on('exit', () => this.#lost(worker, new Error('the reader thread has ended')));
    return worker;
  }

  #take(message: FromReader): void {
    if ('closed' in message) return;
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    this.#waiting.delete(message.id);
    clearTimeout(waiting.timer);
    if ('error' in message) waiting.reject(deserializeError(message.error));
    else waiting.resolve(message.body);
    if (this.#waiting.size === 0) {
      const idleMs = this.#options.idleMs ?? bridgeReaderIdleMs;
      this.#idle = setTimeout(() => this.#letGo(), idleMs).unref();
    }
  }

  #letGo(): void {
    const worker = this.#worker;
    this.#worker = null;
    if (worker !== null) void closed(worker);
  }

  #lost(worker: Worker, error: Error): void {
    // `exit` follows an error, and a thread that was let go.
    if (worker !== this.#worker) return;
    this.#worker = null;
    clearTimeout(this.#idle);
    void worker.terminate();
    this.#refuseAll(error);
  }

  #refuseAll(error: Error): void {
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.#waiting.clear();
  }
}

/** Answers are short-lived: a small nursery keeps the thread at some 10 MiB. */
const resourceLimits = {
  maxOldGenerationSizeMb: bridgeReaderHeapMiB,
  maxYoungGenerationSizeMb: bridgeReaderNurseryMiB,
};

/** Settles when the thread has closed the database and ended. A thread that hangs in a read is ended all the same. */
async function closed(worker: Worker): Promise<void> {
  worker.postMessage({ close: true } satisfies ToReader);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, bridgeReaderCloseMs);
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    worker.on('message', (message: FromReader) => {
      if ('closed' in message) done();
    });
    worker.once('exit', done);
  });
  await worker.terminate();
}

function stopping(): Failure {
  return new Failure('unavailable', 'the daemon is stopping');
}

function deserializeError({ code, message }: { code: string | null; message: string }): Error {
  return code === null ? new Error(message) : new Failure(code, message);
}
