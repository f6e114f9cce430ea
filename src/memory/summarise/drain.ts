import { leaseMs } from '#core/limits';
import { messageOf } from '#core/platform';
import type { Claimed, NewSummary, Store } from '#memory/store';
import { parsePayload } from '#reading/call';
import type { Backend, BatchOutcome, RawEvent } from './backend.ts';
import type { Outage, Usage } from './chat.ts';
import { asStored } from './spoken.ts';
import { turnAt } from './turn.ts';

/** After so many refused rows without an accepted one a drain gives up: the backend refuses everything. */
const refusedRowsMax = 16;

/** How a drain went. */
export interface DrainResult {
  readonly processed: number;
  readonly firstError?: string;
}

/** What runs over the store in batches until it is done or stopped. */
export interface BatchRun {
  readonly store: Store;
  readonly signal: AbortSignal;
  /** Logs what is skipped, and outages. */
  readonly report: (message: string, fields: Readonly<Record<string, string | number>>) => void;
  /** Whether to end before the next batch: a caller's drain goes before the background. */
  readonly yields?: () => boolean;
}

export interface DrainOptions extends BatchRun {
  /** The backend to use now, or the reason why none is available. Called once in each drain. */
  readonly choose: (signal: AbortSignal) => Promise<{ backend: Backend } | { error: string }>;
  readonly batchSize: number;
  readonly attemptsMax: number;
  /** Names this drainer in the leases. */
  readonly owner: string;
  /** Takes the number of rows done in this run, after each batch. */
  readonly progress?: (done: number) => void;
}

/** The rows of a run: new events, or builtin summaries to refine. */
export interface Rows {
  /** Leases the next rows, at most `limit`; each row comes once. Empty: the run is done. */
  take(limit: number): readonly Claimed[];
  /** Stores the rows that are still leased; returns their number. */
  keep(finished: readonly NewSummary[]): number;
  /** Counts a failed attempt; true when it was the last one. */
  fail(seq: number, error: string): boolean;
  /** Log messages: a row failed for the last time; an outage ended the run. */
  readonly givenUp: string;
  readonly stopped: string;
}

type Answers = Extract<BatchOutcome, { kind: 'done' }>['answers'];

interface Row extends RawEvent {
  readonly seq: number;
  readonly attempts: number;
}

/** A row whose request the server refused (HTTP 4xx) although nothing else was in it. */
interface Refused {
  readonly row: Row;
  readonly error: string;
}

/**
 * Summarises raw events, oldest first, at most `limit` of them (null: all). Each row is tried once; an outage
 * ends the drain and counts against no row.
 */
export function drain(options: DrainOptions, limit: number | null): Promise<DrainResult> {
  return work(options, rawRows(options), limit);
}

/** Sends rows to the current backend in batches, until no row is left, `limit` rows are done or an outage ends the run. */
export async function work(options: DrainOptions, rows: Rows, limit: number | null): Promise<DrainResult> {
  const choice = await options.choose(options.signal);
  if ('error' in choice) return { processed: 0, firstError: choice.error };
  const run = new Run(options, rows, choice.backend);
  try {
    return await run.all(limit);
  } catch (error) {
    if (options.signal.aborted) return run.result();
    throw error;
  }
}

function rawRows({ store, owner, attemptsMax }: DrainOptions): Rows {
  let behind = 0;
  return {
    take: (limit) => {
      const claimed = store.events.claim(owner, behind, limit, Date.now());
      behind = claimed.at(-1)?.seq ?? behind;
      return claimed;
    },
    keep: (finished) => store.summaries.finish(owner, finished),
    fail: (seq, error) => store.events.fail(owner, seq, error, attemptsMax) === 'skipped',
    givenUp: 'event skipped',
    stopped: 'drain stopped by an outage',
  };
}

class Run {
  readonly #options: DrainOptions;
  readonly #rows: Rows;
  readonly #backend: Backend;
  readonly #leased = new Set<number>();
  /** Refused rows; the run does not know yet whether they or the backend are at fault. */
  #refused: Refused[] = [];
  /** Whether the backend has accepted a request with rows in this run. */
  #accepted = false;
  #processed = 0;
  #firstError: string | undefined;
  #outage = false;

  constructor(options: DrainOptions, rows: Rows, backend: Backend) {
    this.#options = options;
    this.#rows = rows;
    this.#backend = backend;
  }

  result(): DrainResult {
    const firstError = this.#firstError;
    return { processed: this.#processed, ...(firstError !== undefined && { firstError }) };
  }

  async all(limit: number | null): Promise<DrainResult> {
    const { signal, batchSize, store, owner, yields = () => false, progress } = this.#options;
    const { name, batchMax } = this.#backend;
    const most = name === 'builtin' ? batchMax : Math.min(batchSize, batchMax);
    const renewal = setInterval(() => this.#renew(), leaseMs / 3);
    let left = limit ?? Number.POSITIVE_INFINITY;
    let done = 0;
    try {
      while (left > 0 && !this.#outage && !signal.aborted && !yields()) {
        const claimed = this.#rows.take(Math.min(most, left));
        if (claimed.length === 0) break;
        left -= claimed.length;
        await this.#batch(claimed);
        done += claimed.length;
        progress?.(done);
        // A drain of many rows must not keep searches waiting that share this thread.
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
      if (!signal.aborted) this.#settleRefused(true);
      return this.result();
    } finally {
      clearInterval(renewal);
      store.events.release(owner, [...this.#leased]);
    }
  }

  async #batch(claimed: readonly Claimed[]): Promise<void> {
    for (const { seq } of claimed) this.#leased.add(seq);
    await this.#summarise(this.#readable(claimed));
    this.#settleRefused(false);
    const waiting = new Set(this.#refused.map(({ row }) => row.seq));
    const done = [...this.#leased].filter((seq) => !waiting.has(seq));
    this.#options.store.events.release(this.#options.owner, done);
    for (const seq of done) this.#leased.delete(seq);
  }

  /**
   * Decides about refused rows. They are at fault when the backend accepted others in this run, or when at most one of them has
   * not failed before: `refusalCheck` has asked about a harmless event then. Otherwise every part failed, and that is an outage.
   */
  #settleRefused(isLast: boolean): void {
    const refused = this.#refused;
    const isDecided = this.#accepted || isLast || refused.length >= refusedRowsMax;
    const [first] = refused;
    if (first === undefined || this.#outage || !isDecided) return;
    const isNew = ({ row }: Refused): boolean => row.attempts === 0;
    if (!this.#accepted && refused.filter(isNew).length > 1) {
      const outage: Outage = { kind: 'outage', error: first.error, retryable: false };
      this.#backend.holdAfter?.(outage);
      this.#stop(outage);
      return;
    }
    for (const { row, error } of refused) this.#fail(row, error);
    this.#refused = [];
  }

  /** Runs in a timer, where nobody would catch: a lease that is not renewed may be lost, and `keep` notices that. */
  #renew(): void {
    const { store, owner, report } = this.#options;
    try {
      store.events.renew(owner, [...this.#leased], Date.now());
    } catch (error) {
      report('leases not renewed', { error: messageOf(error) });
    }
  }

  #readable(claimed: readonly Claimed[]): Row[] {
    return claimed.flatMap((row) => {
      const parsed = parsePayload(row.payloadJson);
      if ('payload' in parsed) {
        const { seq, id, attempts } = row;
        const turn = () => turnAt(this.#options.store, seq);
        return [{ seq, id, attempts, payload: parsed.payload, turn }];
      }
      this.#fail(row, parsed.error);
      return [];
    });
  }

  /** One call for all rows; if the backend rejects it, one for each half. */
  async #summarise(rows: readonly Row[]): Promise<void> {
    const [row] = rows;
    if (row === undefined || this.#outage) return;
    const outcome = await this.#ask(rows);
    if (outcome.kind === 'outage') {
      this.#stop(outcome);
      return;
    }
    this.#count(outcome.usage);
    const isRefused = outcome.kind === 'rejected' && outcome.refused === true;
    this.#accepted ||= !isRefused;
    if (outcome.kind === 'done') {
      await this.#settle(rows, outcome.answers);
    } else if (rows.length > 1) {
      const half = Math.ceil(rows.length / 2);
      await this.#summarise(rows.slice(0, half));
      await this.#summarise(rows.slice(half));
    } else if (isRefused) {
      this.#refused.push({ row, error: outcome.error });
    } else {
      this.#fail(row, outcome.error);
    }
  }

  #stop({ error }: Outage): void {
    this.#outage = true;
    this.#firstError ??= error;
    this.#options.report(this.#rows.stopped, { backend: this.#backend.name, error });
  }

  async #ask(rows: readonly Row[]): Promise<BatchOutcome> {
    const { signal } = this.#options;
    try {
      const outcome = await this.#backend.summarise(rows, signal);
      // A call that the caller stopped has not failed.
      if (outcome.kind === 'outage') signal.throwIfAborted();
      return outcome;
    } catch (error) {
      signal.throwIfAborted();
      // A backend returns its failures; one that throws must not end the daemon.
      return { kind: 'outage', error: messageOf(error), retryable: true };
    }
  }

  /** Keeps the good answers. An event without one is asked about alone before a failure counts. */
  async #settle(rows: readonly Row[], answers: Answers): Promise<void> {
    const finished: NewSummary[] = [];
    const unanswered: Row[] = [];
    rows.forEach((row, index) => {
      const answer = answers[index];
      if (answer !== undefined && 'text' in answer) {
        finished.push({ eventSeq: row.seq, ...asStored(row.payload, answer), model: this.#backend.model });
      } else if (rows.length > 1) {
        unanswered.push(row);
      } else {
        this.#fail(row, answer?.error ?? 'the backend gave no answer for this event');
      }
    });
    if (finished.length > 0) this.#processed += this.#rows.keep(finished);
    for (const row of unanswered) await this.#summarise([row]);
  }

  #fail(row: Pick<Row, 'seq' | 'id'>, error: string): void {
    const { attemptsMax, report } = this.#options;
    const message = `event ${row.id}: ${error}`;
    this.#firstError ??= message;
    if (this.#rows.fail(row.seq, error))
      report(this.#rows.givenUp, { event: row.id, reason: error, attempts: attemptsMax });
  }

  #count({ calls, inputTokens, outputTokens }: Usage): void {
    // The hosted backend's budget has counted its calls already, the unanswered ones too.
    if (calls === 0 || this.#backend.name === 'hosted') return;
    const day = new Date().toISOString().slice(0, 10);
    const { name: backend, model } = this.#backend;
    this.#options.store.usage.add({ day, backend, model, calls, inputTokens, outputTokens });
  }
}
