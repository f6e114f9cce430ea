import { parsePayload } from '../../calls/call/index.ts';
import { leaseMs, summaryCharsMax } from '../../core/limits.ts';
import { messageOf } from '../../core/platform/index.ts';
import type { Claimed, NewSummary, Store } from '../store/index.ts';
import type { Backend, BatchOutcome, RawEvent, Usage } from './backend.ts';
import { EarlierCalls } from './earlier.ts';

/** Spec 2.4. */
export interface DrainResult {
  readonly processed: number;
  readonly firstError?: string;
}

export interface DrainOptions {
  readonly store: Store;
  /** The backend to use now, or why there is none. Asked once a drain. */
  readonly choose: (signal: AbortSignal) => Promise<{ backend: Backend } | { error: string }>;
  readonly batchSize: number;
  readonly attemptsMax: number;
  /** Names this drainer in the leases; unique a process. */
  readonly owner: string;
  /** Told of rows given up on and of outages, for the log. */
  readonly report: (message: string, fields: Readonly<Record<string, string | number>>) => void;
  readonly signal: AbortSignal;
}

/** Where a run takes its rows from, and puts what came of them. */
export interface Rows {
  /** The next rows, at most `limit`, leased to the run; each is given once. None: the run is done. */
  take(limit: number): readonly Claimed[];
  /** Stores what is still held; answers how many. */
  keep(finished: readonly NewSummary[]): number;
  /** Counts a failed attempt; true when it was the last and the row is given up. */
  fail(seq: number, error: string): boolean;
  /** How the log calls a row that is given up, and a run that an outage ended. */
  readonly givenUp: string;
  readonly stopped: string;
}

type Answers = Extract<BatchOutcome, { kind: 'done' }>['answers'];

interface Row extends RawEvent {
  readonly seq: number;
}

/**
 * Summarises raw events, oldest first, at most `limit` of them (null: all). Each row is tried once; an outage
 * ends the drain and counts against no row.
 */
export function drain(options: DrainOptions, limit: number | null): Promise<DrainResult> {
  return work(options, rawRows(options), limit);
}

/** Gives rows to the backend of the moment in batches, until there are none, `limit` are through or it is out of order. */
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
  readonly #earlier: EarlierCalls;
  #processed = 0;
  #firstError: string | undefined;
  #outage = false;

  constructor(options: DrainOptions, rows: Rows, backend: Backend) {
    this.#options = options;
    this.#rows = rows;
    this.#backend = backend;
    this.#earlier = new EarlierCalls(options.store);
  }

  result(): DrainResult {
    const error = this.#firstError;
    return error === undefined
      ? { processed: this.#processed }
      : { processed: this.#processed, firstError: error };
  }

  async all(limit: number | null): Promise<DrainResult> {
    const { signal, batchSize } = this.#options;
    let left = limit ?? Number.POSITIVE_INFINITY;
    const most =
      this.#backend.name === 'builtin' ? this.#backend.batchMax : Math.min(batchSize, this.#backend.batchMax);
    while (left > 0 && !this.#outage && !signal.aborted) {
      const claimed = this.#rows.take(Math.min(most, left));
      if (claimed.length === 0) break;
      left -= claimed.length;
      await this.#batch(claimed);
      // A drain of many rows must not keep searches waiting that share this thread.
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    return this.result();
  }

  async #batch(claimed: readonly Claimed[]): Promise<void> {
    const { store, owner } = this.#options;
    const seqs = claimed.map((row) => row.seq);
    const renewal = setInterval(() => this.#renew(seqs), leaseMs / 3);
    try {
      await this.#summarise(this.#readable(claimed));
    } finally {
      clearInterval(renewal);
      store.events.release(owner, seqs);
    }
  }

  /** In a timer, where nobody would catch: a lease that is not renewed may be lost, and `finish` sees that. */
  #renew(seqs: readonly number[]): void {
    const { store, owner, report } = this.#options;
    try {
      store.events.renew(owner, seqs, Date.now());
    } catch (error) {
      report('leases not renewed', { error: messageOf(error) });
    }
  }

  #readable(claimed: readonly Claimed[]): Row[] {
    return claimed.flatMap((row) => {
      const parsed = parsePayload(row.payloadJson);
      if ('payload' in parsed) {
        const { seq, id } = row;
        this.#earlier.remember(seq, parsed.payload, row.payloadJson.length);
        return [{ seq, id, payload: parsed.payload, earlier: () => this.#earlier.before(seq) }];
      }
      this.#fail(row, parsed.error);
      return [];
    });
  }

  /** One call for all rows; halves of them when the backend cannot make sense of the whole. */
  async #summarise(rows: readonly Row[]): Promise<void> {
    if (rows.length === 0 || this.#outage) return;
    const outcome = await this.#ask(rows);
    if (outcome.kind !== 'outage') this.#count(outcome.usage);
    if (outcome.kind === 'outage') {
      this.#outage = true;
      this.#firstError ??= outcome.error;
      this.#options.report(this.#rows.stopped, {
        backend: this.#backend.name,
        error: outcome.error,
      });
    } else if (outcome.kind === 'done') {
      await this.#settle(rows, outcome.answers);
    } else if (rows.length === 1) {
      for (const row of rows) this.#fail(row, outcome.error);
    } else {
      const half = Math.ceil(rows.length / 2);
      await this.#summarise(rows.slice(0, half));
      await this.#summarise(rows.slice(half));
    }
  }

  async #ask(rows: readonly Row[]): Promise<BatchOutcome> {
    const { signal } = this.#options;
    try {
      const outcome = await this.#backend.summarise(rows, signal);
      // One that was stopped on our word has not failed.
      if (outcome.kind === 'outage') signal.throwIfAborted();
      return outcome;
    } catch (error) {
      signal.throwIfAborted();
      // A backend tells its failures; one that throws all the same must not take the daemon with it.
      return { kind: 'outage', error: messageOf(error), retryable: true };
    }
  }

  /** Keeps the good answers; an event without one is asked for again by itself before that counts against it. */
  async #settle(rows: readonly Row[], answers: Answers): Promise<void> {
    const finished: NewSummary[] = [];
    const unanswered: Row[] = [];
    rows.forEach((row, index) => {
      const answer = answers[index];
      if (answer !== undefined && 'text' in answer) {
        const text = answer.text.slice(0, summaryCharsMax);
        finished.push({ eventSeq: row.seq, text, terms: answer.terms, model: this.#backend.model });
      } else if (rows.length > 1) {
        unanswered.push(row);
      } else {
        this.#fail(row, answer?.error ?? 'the backend gave no answer for this event');
      }
    });
    if (finished.length > 0) {
      this.#processed += this.#rows.keep(finished);
    }
    for (const row of unanswered) await this.#summarise([row]);
  }

  #fail(row: Pick<Row, 'seq' | 'id'>, error: string): void {
    const { attemptsMax, report } = this.#options;
    const message = `event ${row.id}: ${error}`;
    this.#firstError ??= message;
    if (this.#rows.fail(row.seq, error)) {
      report(this.#rows.givenUp, { event: row.id, reason: error, attempts: attemptsMax });
    }
  }

  #count({ calls, inputTokens, outputTokens }: Usage): void {
    // The hosted backend's budget has counted its calls already, the unanswered ones too.
    if (calls === 0 || this.#backend.name === 'hosted') return;
    const day = new Date().toISOString().slice(0, 10);
    const { name: backend, model } = this.#backend;
    this.#options.store.ledger.addUsage({ day, backend, model, calls, inputTokens, outputTokens });
  }
}
