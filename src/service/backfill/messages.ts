import type { MessagePort } from 'node:worker_threads';
import type { BackfillResult } from './run.ts';

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

/** The argument of the thread's one operation. */
export interface BackfillTask {
  readonly source: Source;
  /** Count what would be stored, store nothing. */
  readonly dryRun: boolean;
  /** The engine, asked directly: the daemon's own thread has captures to answer. */
  readonly engine: MessagePort;
}

/** Progress is sent as notices of type `BackfillProgress`. */
export type BackfillOps = { readonly run: (task: BackfillTask) => Promise<BackfillResult> };
