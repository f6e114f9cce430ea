import type { Payload } from '../../core/event/index.ts';

/** One event as a backend sees it: redacted, within limits. */
export interface RawEvent {
  /** `events.id` */
  readonly id: string;
  readonly payload: Payload;
  /**
   * The calls of the same session that came before it, the latest first: at most `earlierCallsMax`, and no more than
   * have `earlierCharsMax` together. The same whenever it is asked, as events arrive behind one another. It reads the
   * database, so ask only when they matter. Absent where there is no store.
   */
  readonly earlier?: () => readonly Payload[];
}

/** What a backend made of one event. */
export interface SummaryDraft {
  /** One to three sentences, at most `summaryCharsMax` characters. */
  readonly text: string;
  /** Further words to find it by, separated by spaces: paths, symbols, error codes, numbers. May be empty. */
  readonly terms: string;
}

/** An event's own failure: it counts against the row, not against the backend. */
export interface RowFailure {
  readonly error: string;
}

/**
 * The outcome of one call over a batch.
 * `done`: one answer an event, in the events' order. `outage`: the backend as a whole could not answer;
 * nothing counts against any row. `rejected`: the backend answered, but not in the form asked for, so that
 * the batch must be split to find the row at fault.
 */
export type BatchOutcome =
  | { readonly kind: 'done'; readonly answers: readonly (SummaryDraft | RowFailure)[]; readonly usage: Usage }
  | { readonly kind: 'rejected'; readonly error: string; readonly usage: Usage }
  | {
      readonly kind: 'outage';
      readonly error: string;
      /** What the server asked to wait (retry-after), when it did. */
      readonly retryAfterMs?: number;
      /** False when trying again cannot help before someone acts (a refused key, a missing model). */
      readonly retryable: boolean;
    };

export interface Usage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface Backend {
  readonly name: 'local' | 'hosted' | 'builtin';
  /** What `summaries.model` says of its work, e.g. `llama3.2:3b`, `claude-haiku-4-5`, `builtin`. */
  readonly model: string;
  /** The most events it takes in one call. */
  readonly batchMax: number;
  /** Null when it can be used now, else why not, in the contract's words. Cheap; may be asked often. */
  unavailable(signal: AbortSignal): Promise<string | null>;
  summarise(events: readonly RawEvent[], signal: AbortSignal): Promise<BatchOutcome>;
}
