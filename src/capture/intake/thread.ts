import type { Worker } from 'node:worker_threads';
import type { Json } from '../../core/event/index.ts';
import {
  captureThreadFrameMs,
  captureThreadHeapMiB,
  captureThreadIdleMs,
  captureThreadQueueMax,
} from '../../core/limits.ts';
import { Failure, startThread } from '../../core/platform/index.ts';
import type { ReadFrame } from './read-frame.ts';
import type { CaptureThreadData, FromCaptureThread, ToCaptureThread } from './thread-messages.ts';

export interface CaptureThreadOptions {
  /** The bundle of `worker.ts`. */
  readonly script: URL;
  /** The fields of requests that ops know. */
  readonly fields: readonly string[];
  /** How long it stays without work. */
  readonly idleMs?: number;
}

interface Task {
  readonly frame: Uint8Array;
  readonly told: (rid: Json) => void;
  readonly resolve: (read: ReadFrame) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads large frames away from the socket's thread, one at a time: what takes a tenth of a second to parse
 * and redact must not keep other captures waiting. The thread is started when first needed and ended when it is idle;
 * if it dies, that costs the frame it was at, and the next one gets a new thread.
 */
export class CaptureThread {
  readonly #options: CaptureThreadOptions;
  readonly #queue: Task[] = [];
  #worker: Worker | null = null;
  #current: Task | null = null;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: CaptureThreadOptions) {
    this.#options = options;
  }

  /** Whether a thread is there at the moment. */
  get isRunning(): boolean {
    return this.#worker !== null;
  }

  /**
   * Takes the frame's memory with it. `told` is called with the request's `rid`, before this settles.
   * @throws Failure `busy`, or the refusal of what the frame holds; any other error when the thread has died
   */
  read(frame: Uint8Array, told: (rid: Json) => void): Promise<ReadFrame> {
    if (this.#closed) return Promise.reject(new Failure('unavailable', 'the daemon is stopping'));
    if (this.#queue.length >= captureThreadQueueMax) {
      return Promise.reject(
        new Failure('busy', 'too many large requests are waiting; this one was not taken'),
      );
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ frame, told, resolve, reject });
      this.#next();
    });
  }

  /** Ends the thread; what it had not read is refused. */
  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    this.#ended(new Failure('unavailable', 'the daemon is stopping'));
    for (const task of this.#queue.splice(0)) {
      task.reject(new Failure('unavailable', 'the daemon is stopping'));
    }
    await worker?.terminate();
  }

  #next(): void {
    if (this.#current !== null) return;
    const task = this.#queue.shift();
    clearTimeout(this.#timer);
    if (task === undefined) {
      this.#timer = setTimeout(() => this.#letGo(), this.#options.idleMs ?? captureThreadIdleMs).unref();
      return;
    }
    let worker: Worker;
    try {
      worker = this.#worker ??= this.#start();
    } catch (error) {
      task.reject(error);
      this.#next();
      return;
    }
    this.#current = task;
    const { frame } = task;
    const owned = frame.buffer instanceof ArrayBuffer ? [frame.buffer] : [];
    worker.postMessage({ frame } satisfies ToCaptureThread, owned);
    this.#timer = setTimeout(() => {
      this.#lost(
        worker,
        new Error(`the capture thread did not read a frame within ${captureThreadFrameMs} ms`),
      );
    }, captureThreadFrameMs).unref();
  }

  #start(): Worker {
    const worker = startThread(this.#options.script, {
      name: 'capture',
      workerData: { fields: this.#options.fields } satisfies CaptureThreadData,
      resourceLimits: { maxOldGenerationSizeMb: captureThreadHeapMiB },
    });
    // The daemon's life does not hang on it.
    worker.unref();
    worker.on('message', (message: FromCaptureThread) => {
      if (worker === this.#worker) this.#settle(message);
    });
    worker.on('error', (error) => this.#lost(worker, error));
    worker.on('exit', () => this.#lost(worker, new Error('the capture thread has ended')));
    return worker;
  }

  #settle({ rid, outcome }: FromCaptureThread): void {
    const task = this.#current;
    this.#current = null;
    if (task !== null) {
      if (rid !== undefined) task.told(rid);
      if (outcome.kind === 'refused') task.reject(new Failure(outcome.code, outcome.message));
      else task.resolve(outcome);
    }
    this.#next();
  }

  #lost(worker: Worker, error: Error): void {
    // `exit` follows an error, and a thread that was let go.
    if (worker !== this.#worker) return;
    void worker.terminate();
    this.#ended(error);
    if (this.#queue.length > 0) this.#next();
  }

  #letGo(): void {
    void this.#worker?.terminate();
    this.#worker = null;
  }

  #ended(error: Error): void {
    clearTimeout(this.#timer);
    this.#worker = null;
    const task = this.#current;
    this.#current = null;
    task?.reject(error);
  }
}
