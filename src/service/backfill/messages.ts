import type { MessagePort } from 'node:worker_threads';
import type { BackfillProgress, BackfillResult } from './run.ts';

/** Which transcripts: those in a folder or a file, or all that the assistants have left of a workspace. */
export type Source =
  | { readonly from: string }
  | {
      /** The workspace's root. */
      readonly root: string;
      readonly home: string;
      /** The assistants' own variables for where they keep things. */
      readonly env: Readonly<Record<string, string | undefined>>;
    };

/** What the backfill's thread is started with. */
export interface BackfillTask {
  readonly source: Source;
  /** Count what would be stored, store nothing. */
  readonly dryRun: boolean;
  /** The engine, asked directly: the daemon's own thread has captures to answer. */
  readonly engine: MessagePort;
}

export type FromBackfill =
  | { readonly kind: 'progress'; readonly progress: BackfillProgress }
  | { readonly kind: 'done'; readonly result: BackfillResult };
