import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { Failure } from '../../core/platform/index.ts';
import { ended, startThread, ThreadClient } from '../../core/thread/index.ts';
import type { DrainProgress } from '../../memory/consolidate/index.ts';
import type { DrainRequest, EngineNotice, EngineOps, EngineSettings } from './ops.ts';

// Engine
const engineYoungHeapMiB = 24;

export interface EngineOptions {
  readonly settings: EngineSettings;
  /** The bundle of `worker.ts`. */
  readonly script: URL;
  readonly report: (message: string, fields: Readonly<Record<string, string | number>>) => void;
  /** SQLite found the database damaged. It is marked, and the next start repairs it. */
  readonly damaged: (what: string) => void;
  /** The thread has ended without `close`: a broken invariant. */
  readonly died: (error: Error) => void;
}

/** Store, search and consolidation in one thread, so that no capture waits for them. */
export class Engine {
  readonly call: ThreadClient<EngineOps>['call'];
  readonly #worker: Worker;
  readonly #client: ThreadClient<EngineOps>;
  readonly #drains = new Map<number, (progress: DrainProgress) => void>();
  #lastDrain = 0;
  #state: 'opening' | 'open' | 'closing' = 'opening';

  private constructor({ script, settings, report, damaged, died }: EngineOptions) {
    this.#worker = startThread(script, {
      workerData: settings,
      name: 'engine',
      // The memory of a search lives for milliseconds. After searches of 10,000 the process has 187 MiB with V8's own 48 MiB, 127 with
      // 24, 143 with 4.
      resourceLimits: { maxYoungGenerationSizeMb: engineYoungHeapMiB },
    });
    this.#client = new ThreadClient<EngineOps>(this.#worker, (received) => {
      const notice = received as EngineNotice;
      if (notice.kind === 'damaged') damaged(notice.what);
      else if (notice.kind === 'progress') this.#drains.get(notice.drain)?.(notice.progress);
      else report(notice.message, notice.fields);
    });
    this.call = this.#client.call.bind(this.#client);
    const lost = (error: Error): void => {
      const isClosing = this.#state === 'closing';
      this.#client.abandon(isClosing ? new Failure('unavailable', 'the daemon is stopping') : error);
      if (this.#state === 'open') died(error);
    };
    this.#worker.on('error', lost);
    this.#worker.on('exit', () => lost(new Error('the engine thread has ended')));
  }

  /** @throws Failure when the database or a setting cannot be used */
  static async open(options: EngineOptions): Promise<Engine> {
    const engine = new Engine(options);
    try {
      // The first request opens the database.
      await engine.call('repaired');
    } catch (error) {
      await engine.#worker.terminate();
      throw error;
    }
    engine.#state = 'open';
    return engine;
  }

  /** The drain of a caller, before the background's. */
  async drain(request: DrainRequest, progress: (progress: DrainProgress) => void) {
    this.#lastDrain += 1;
    const id = this.#lastDrain;
    this.#drains.set(id, progress);
    try {
      return await this.call('drain', { ...request, id });
    } finally {
      this.#drains.delete(id);
    }
  }

  /** A port by which another thread calls the engine directly. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#client.connect(port1);
    return port2;
  }

  async close(): Promise<void> {
    this.#state = 'closing';
    await this.#client.close();
    await ended(this.#worker);
  }
}
