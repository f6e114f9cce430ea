import { Worker } from 'node:worker_threads';
import { Failure } from '../platform/index.ts';
import type { FromEngine, ThrownAway } from './messages.ts';
import type { EngineOps, EngineSettings } from './ops.ts';

export interface EngineOptions {
  readonly settings: EngineSettings;
  /** The bundle of `worker.ts`. */
  readonly script: URL;
  readonly report: (message: string, fields: Readonly<Record<string, string | number>>) => void;
  /** Told when the thread ends though nobody closed it: a broken invariant. */
  readonly died: (error: Error) => void;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The store, the search and the consolidation in a thread of their own, so that none of it ever keeps a
 * capture waiting.
 */
export class Engine {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #next = 1;
  #closing = false;

  private constructor(worker: Worker, { died, report }: EngineOptions) {
    this.#worker = worker;
    worker.on('message', (message: FromEngine) => {
      if (message.kind === 'report') report(message.message, message.fields);
      else if (message.kind === 'result') this.#take(message.id)?.resolve(message.value);
      else if (message.kind === 'failed') this.#take(message.id)?.reject(revived(message.error));
    });
    const ended = (error: Error): void => {
      for (const waiting of this.#waiting.values()) waiting.reject(error);
      this.#waiting.clear();
      if (!this.#closing) died(error);
    };
    worker.on('error', ended);
    worker.on('exit', () => ended(new Error('the engine thread has ended')));
  }

  /** @throws Failure when the database or a setting cannot be used */
  static async open(options: EngineOptions): Promise<Engine> {
    const worker = new Worker(options.script, { workerData: options.settings, name: 'engine' });
    await new Promise<void>((resolve, reject) => {
      worker.once('message', (message: FromEngine) => {
        if (message.kind === 'unusable') reject(revived(message.error));
        else resolve();
      });
      worker.once('error', reject);
    });
    return new Engine(worker, options);
  }

  call<K extends keyof EngineOps>(
    op: K,
    ...args: Parameters<EngineOps[K]>
  ): Promise<Awaited<ReturnType<EngineOps[K]>>> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      // The worker runs this very op: its value has this type.
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#worker.postMessage({ id, op, args: args[0] });
    });
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.call('close');
    await this.#worker.terminate();
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}

function revived({ message, code, stack }: ThrownAway): Error {
  if (code !== null) return new Failure(code, message);
  const error = new Error(message);
  error.stack = stack;
  return error;
}
