import { Worker } from 'node:worker_threads';
import { modelLoadTimeoutMs, modelThreadHeapMiB, modelThreadIdleMs } from '../../limits.ts';
import { Failure, programChanged } from '../../platform/index.ts';
import { unlessAborted } from '../unless-aborted.ts';
import type { FromModelThread, ToModelThread } from './messages.ts';

export interface ModelThreadOptions {
  readonly folder: string;
  /** The bundle of `worker.ts`. */
  readonly script: URL;
  /** How long it stays without work. */
  readonly idleMs?: number;
}

export interface LoadedModel {
  readonly dim: number;
  readonly version: number;
}

interface Question {
  readonly resolve: (packed: Float32Array) => void;
  readonly reject: (error: Error) => void;
}

/** The files themselves are at fault: to load them again is of no use. Any other failure to load may pass. */
export class UnusableModel extends Failure {}

/**
 * A folder's model in a thread of its own, so that neither loading nor embedding holds anything up. Started when first
 * asked, ended when idle, and then started anew by the next question.
 */
export class ModelThread {
  readonly #options: ModelThreadOptions;
  #worker: Worker | null = null;
  #loading: Promise<LoadedModel> | null = null;
  readonly #waiting = new Map<number, Question>();
  #lastId = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: ModelThreadOptions) {
    this.#options = options;
  }

  /** Whether a thread is there at the moment. */
  get isRunning(): boolean {
    return this.#worker !== null;
  }

  /** The model, loaded. @throws Failure `embed_model` when it cannot be used */
  load(): Promise<LoadedModel> {
    if (this.#closed) return Promise.reject(closedFailure());
    this.#loading ??= this.#start();
    return this.#loading;
  }

  /**
   * The vectors of `texts`, one behind the other, by the model of that version.
   * @throws Failure `embed_model`, or the reason of `signal`
   */
  async embed(texts: readonly string[], version: number, signal: AbortSignal): Promise<Float32Array> {
    const loaded = await unlessAborted(this.load(), signal);
    const worker = this.#worker;
    if (worker === null) throw closedFailure();
    // Ended while idle and loaded again: the files may be others by now.
    if (loaded.version !== version) throw new Failure('embed_model', 'the files of the model have changed');
    clearTimeout(this.#timer);
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<Float32Array>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, texts } satisfies ToModelThread);
    });
    return unlessAborted(answer, signal);
  }

  /** Resolves when no thread is there (any more). */
  ended(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return Promise.resolve();
    return new Promise((resolve) => worker.once('exit', () => resolve()));
  }

  /** Ends the thread, as when the files have changed: the next question loads them anew. */
  async end(why = 'the embedding model was closed'): Promise<void> {
    const worker = this.#worker;
    this.#lose(new Failure('embed_model', why));
    await worker?.terminate();
  }

  /** Ends it for good. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.end();
  }

  #start(): Promise<LoadedModel> {
    const changed = programChanged();
    if (changed !== null) return Promise.reject(changed);
    const worker = new Worker(this.#options.script, {
      name: 'embed',
      workerData: this.#options.folder,
      resourceLimits: { maxOldGenerationSizeMb: modelThreadHeapMiB },
    });
    // The daemon's life does not hang on it.
    worker.unref();
    this.#worker = worker;
    return new Promise((resolve, reject) => {
      const lost = (error: Error) => {
        clearTimeout(patience);
        reject(error);
        if (worker !== this.#worker) return;
        this.#lose(error);
        void worker.terminate();
      };
      const patience = setTimeout(
        () => lost(new Failure('embed_model', `the model did not load within ${modelLoadTimeoutMs} ms`)),
        modelLoadTimeoutMs,
      ).unref();
      worker.on('message', (message: FromModelThread) => {
        if (message.kind === 'unusable') return lost(new UnusableModel('embed_model', message.message));
        if (message.kind === 'loaded') {
          clearTimeout(patience);
          resolve(message);
        } else {
          this.#waiting.get(message.id)?.resolve(message.packed);
          this.#waiting.delete(message.id);
        }
        this.#restWhenIdle(worker);
      });
      worker.on('error', (error) =>
        lost(
          new Failure('embed_model', `the embedding model's thread failed: ${error.message}`, {
            cause: error,
          }),
        ),
      );
      worker.on('exit', () => lost(new Failure('embed_model', "the embedding model's thread has ended")));
    });
  }

  #restWhenIdle(worker: Worker): void {
    if (worker !== this.#worker || this.#waiting.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.end(), this.#options.idleMs ?? modelThreadIdleMs).unref();
  }

  #lose(error: Error): void {
    clearTimeout(this.#timer);
    this.#worker = null;
    this.#loading = null;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

function closedFailure(): Failure {
  return new Failure('embed_model', 'the embedding model was closed');
}
