import type { Payload } from '#core/event';
import type { Outage, Rejection, Usage } from './chat.ts';

/** One event for a backend: redacted, within limits. */
export interface RawEvent {
  /** `events.id` */
  readonly id: string;
  readonly payload: Payload;
  /** The calls of a message's turn, before and after it, nearest first. Reads the database. Absent where there is no store. */
  readonly turn?: () => Turn;
}

/** The calls around a message, up to the user messages before and after it. */
export interface Turn {
  readonly before: readonly Payload[];
  readonly after: readonly Payload[];
}

/** A backend's summary of one event. */
export interface SummaryDraft {
  /** One to three sentences, at most `summaryCharsMax` characters. */
  readonly text: string;
  /** Further search words, separated by spaces: paths, symbols, error codes, numbers. May be empty. */
  readonly terms: string;
}

/** An event's own failure: it counts against the row, not against the backend. */
export interface RowFailure {
  readonly error: string;
}

/** `done`: one answer for each event, in order. `rejected`: the batch must be split to find the row at fault. */
export type BatchOutcome =
  | { readonly kind: 'done'; readonly answers: readonly (SummaryDraft | RowFailure)[]; readonly usage: Usage }
  | Rejection
  | Outage;

export interface Backend {
  readonly name: 'local' | 'hosted' | 'builtin';
  /** The value of `summaries.model`, e.g. `llama3.2:3b`, `claude-haiku-4-5`, `builtin`. */
  readonly model: string;
  /** The most events in one call. */
  readonly batchMax: number;
  summarise(events: readonly RawEvent[], signal: AbortSignal): Promise<BatchOutcome>;
  /** Holds further calls back after an outage that only the drain sees, since it has the answers to all batches. */
  holdAfter?(outage: Outage): void;
}

export interface HostedBackend extends Backend {
  /** Null when it can be used now, else the reason, in the contract's words. Cheap; may be asked often. */
  unavailable(signal: AbortSignal): Promise<string | null>;
}
