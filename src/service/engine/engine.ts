import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Failure } from '#core/platform';
import { ended, startThread, ThreadClient } from '#core/thread';
import type { DrainProgress } from '#memory/consolidate';
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

export type Engine = Readonly<Awaited<ReturnType<typeof startEngine>>>;

/**
 * Store, search and consolidation in one thread, so that no capture waits for them.
 * @throws Failure when the database or a setting cannot be used
 */
export async function startEngine({ script, settings, report, damaged, died }: EngineOptions) {
  const drains = new Map<number, (progress: DrainProgress) => void>();
  let lastDrain = 0;
  let state: 'opening' | 'open' | 'closing' = 'opening';
  const worker = startThread(script, {
    workerData: settings,
    name: 'engine',
    // The memory of a search lives for milliseconds. After searches of 10,000 the process has 187 MiB with V8's own 48 MiB, 127 with
    // 24, 143 with 4.
    resourceLimits: { maxYoungGenerationSizeMb: engineYoungHeapMiB },
  });
  const client = new ThreadClient<EngineOps>(worker, (received) => {
    const notice = received as EngineNotice;
    if (notice.kind === 'damaged') damaged(notice.what);
    else if (notice.kind === 'progress') drains.get(notice.drain)?.(notice.progress);
    else report(notice.message, notice.fields);
  });
  const call: ThreadClient<EngineOps>['call'] = client.call.bind(client);
  const lost = (error: Error): void => {
    client.abandon(state === 'closing' ? new Failure('unavailable', 'the daemon is stopping') : error);
    if (state === 'open') died(error);
  };
  worker.on('error', lost);
  worker.on('exit', () => lost(new Error('the engine thread has ended')));
  try {
    // The first request opens the database.
    await call('repaired');
  } catch (error) {
    await worker.terminate();
    throw error;
  }
  state = 'open';
  return {
    call,
    /** The drain of a caller, before the background's. */
    drain: async (request: DrainRequest, progress: (progress: DrainProgress) => void) => {
      lastDrain += 1;
      const id = lastDrain;
      drains.set(id, progress);
      return call('drain', { ...request, id }).finally(() => drains.delete(id));
    },
    /** A port by which another thread calls the engine directly. */
    connect: (): MessagePort => {
      const { port1, port2 } = new MessageChannel();
      client.connect(port1);
      return port2;
    },
    close: async (): Promise<void> => {
      state = 'closing';
      await client.close();
      await ended(worker);
    },
  };
}
