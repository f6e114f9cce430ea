import type { MessagePort } from 'node:worker_threads';
import type { SearchScope } from '#assistants/form';
import type { TranscriptNotice } from '#capture/clients';
import type { BackfillResult } from './run.ts';

/** The transcripts in a folder or file, or all transcripts of a workspace. */
export type Source = { readonly from: string } | Searched;

/** The workspace whose transcripts are searched. */
export type Searched = Pick<SearchScope, 'root' | 'home' | 'env'>;

/** The argument of a backfill. */
export interface BackfillTask {
  readonly source: Source;
  /** Counts what would be stored, and stores nothing. */
  readonly dryRun: boolean;
  /** False: only calls are stored (`capture.messages`). */
  readonly messages: boolean;
  /** The engine, called directly, so that the daemon's thread can answer captures. */
  readonly engine: MessagePort;
}

/** A transcript whose new messages are stored. */
export interface FollowTask extends TranscriptNotice, Searched {
  readonly engine: MessagePort;
}

/** Progress is sent as notices of type `BackfillProgress`. */
export type BackfillOps = {
  readonly run: (task: BackfillTask) => Promise<BackfillResult>;
  readonly follow: (task: FollowTask) => Promise<void>;
};
