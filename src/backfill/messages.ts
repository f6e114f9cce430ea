import type { ToolEvent } from '../event/index.ts';
import type { BackfillProgress, BackfillResult } from './run.ts';

export interface Stored {
  readonly inserted: number;
  readonly duplicates: number;
}

export type FromBackfill =
  | { readonly kind: 'batch'; readonly events: readonly ToolEvent[] }
  | { readonly kind: 'progress'; readonly progress: BackfillProgress }
  | { readonly kind: 'done'; readonly result: BackfillResult };

export type ToBackfill = Stored | { readonly error: string };
