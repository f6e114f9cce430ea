import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { engineYoungHeapMiB } from '../../core/limits.ts';
import { Failure, startThread } from '../../core/platform/index.ts';
import { deserializeError, EngineClient } from './client.ts';
import type { FromEngine, ToEngine } from './messages.ts';
import type { EngineOps, EngineSettings } from './ops.ts';

export interface EngineOptions {
  readonly settings: EngineSettings;
  /** The bundle of `worker.ts`. */
  readonly script: URL;
  readonly report: (message: string, fields: Readonly<Record<string, string | number>>) => void;
  /** Told when SQLite finds the database damaged: it is marked, and the next start mends it. */
  readonly damaged: (what: string) => void;
  /** Told when the thread ends though nobody closed it: a broken invariant. */
  readonly died: (error: Error) => void;
}

/**
 * The store, the search and the consolidation in a thread of their own, so that none of it ever keeps a
 * capture waiting.
 */
export class Engine {
  readonly #worker: Worker;
  readonly #client: EngineClient;
  #closing = false;

  private constructor(worker: Worker, { died, damaged, report }: EngineOptions) {
    this.#worker = worker;
    this.#client = new EngineClient((message) => worker.postMessage(message));
    worker.on('message', (message: FromEngine) => {
      if (message.kind === 'report') report(message.message, message.fields);
      else if (message.kind === 'damaged') damaged(message.what);
      else this.#client.receive(message);
    });
    const ended = (error: Error): void => {
      // What still waits at the end in order is refused, and no failure of ours.
      this.#client.abandon(this.#closing ? new Failure('unavailable', 'the daemon is stopping') : error);
      if (!this.#closing) died(error);
    };
    worker.on('error', ended);
    worker.on('exit', () => ended(new Error('the engine thread has ended')));
  }

  /** @throws Failure when the database or a setting cannot be used */
  static async open(options: EngineOptions): Promise<Engine> {
    const worker = startThread(options.script, {
      workerData: options.settings,
      name: 'engine',
      // What a search reads lives for milliseconds. V8's own 48 MiB let it pile up; with 4 much of it was moved to the old
      // generation, and the whole was larger again (resident after searches of 10,000: 187 MiB with 48, 127 with 24, 143 with 4).
      resourceLimits: { maxYoungGenerationSizeMb: engineYoungHeapMiB },
    });
    await opened(worker, options.report);
    return new Engine(worker, options);
  }

  call<K extends keyof EngineOps>(
    op: K,
    ...args: Parameters<EngineOps[K]>
  ): Promise<Awaited<ReturnType<EngineOps[K]>>> {
    return this.#client.call(op, ...args);
  }

  /** A way for another thread to ask the engine without this one in between. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#worker.postMessage({ attach: port1 } satisfies ToEngine, [port1]);
    return port2;
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.call('close');
    await this.#worker.terminate();
  }
}

/** Settles when the thread has opened the database; what is amiss and keeps it from nothing is reported meanwhile. */
function opened(worker: Worker, report: EngineOptions['report']): Promise<void> {
  return new Promise((resolve, reject) => {
    const take = (message: FromEngine): void => {
      if (message.kind === 'report') {
        report(message.message, message.fields);
        return;
      }
      worker.off('message', take);
      if (message.kind === 'unusable') reject(deserializeError(message.error));
      else resolve();
    };
    worker.on('message', take);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the engine thread has ended')));
  });
}
