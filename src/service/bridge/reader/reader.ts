import { OnDemandThread } from '#core/thread';
import type { ReaderOps } from './reads.ts';

const bridgeReaderHeapMiB = 256;

const bridgeReaderIdleMs = 5 * 60_000;
const bridgeReaderWaitMs = 30_000;
export const bridgeReaderQueueMax = 64;
const bridgeReaderNurseryMiB = 8;

export interface ReaderOptions {
  /** The bundle of `worker.ts`. */
  readonly script: URL;
  readonly database: string;
  /** How long the thread stays without work. */
  readonly idleMs?: number;
}

/** Reads the database in a thread of its own. */
export type Reader = OnDemandThread<ReaderOps>;

export function openReader({ script, database, idleMs = bridgeReaderIdleMs }: ReaderOptions): Reader {
  return new OnDemandThread({
    script,
    name: 'reader',
    workerData: database,
    // Answers are short-lived: a small nursery keeps the thread at some 10 MiB.
    resourceLimits: {
      maxOldGenerationSizeMb: bridgeReaderHeapMiB,
      maxYoungGenerationSizeMb: bridgeReaderNurseryMiB,
    },
    queueMax: bridgeReaderQueueMax,
    requestMs: bridgeReaderWaitMs,
    idleMs,
  });
}
