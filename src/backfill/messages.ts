import type { MessagePort } from 'node:worker_threads';
import type { BackfillProgress, BackfillResult } from './run.ts';

/** What the backfill's thread is started with. */
export interface BackfillTask {
  /** Transcripts, and folders to look for them in. */
  readonly places: readonly string[];
  /** Count what would be stored, store nothing. */
  readonly dryRun: boolean;
  /** The engine, asked directly: the daemon's own thread has captures to answer. */
  readonly engine: MessagePort;
}

export type FromBackfill =
  | { readonly kind: 'progress'; readonly progress: BackfillProgress }
  | { readonly kind: 'done'; readonly result: BackfillResult };
