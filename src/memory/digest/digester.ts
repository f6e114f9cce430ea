import { parsePayload, readCall } from '../../calls/call/index.ts';
import type { SessionEvent, StaleSession, Store } from '../store/index.ts';
import { compose } from './compose.ts';
import { SessionTalk } from './talk.ts';
import { SessionTally } from './tally.ts';

export const digestPageEvents = 64;
const digestPromptsMax = 500;

export interface DigestRun {
  /** Only sessions whose last event is older than this time (ISO 8601); null: all. */
  readonly quietSince: string | null;
  readonly signal: AbortSignal;
  /** Whether to end before the next session. */
  readonly yields?: () => boolean;
  /** Takes how many sessions are done, and of how many. */
  readonly progress?: (done: number, total: number) => void;
}

/** The value of `digests.model` for a digest without a model. */
const writer = 'builtin';

/** Writes the digests of sessions that have new events. */
export class Digester {
  readonly #store: Store;
  /** No event up to this one needs a digest, so later runs skip them. */
  #settledSeq = 0;
  /** Forgetting a call deletes the digest of its session and adds no event. */
  #removals = '';
  #writing: Promise<unknown> = Promise.resolve();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Returns the number of digests written. Yields between pages of events and between sessions. */
  async run(options: DigestRun): Promise<number> {
    const { quietSince, signal, yields = () => false, progress } = options;
    const removals = this.#store.digests.removals();
    if (removals !== this.#removals) this.#settledSeq = 0;
    this.#removals = removals;
    const newest = this.#store.digests.newestSeq();
    const stale = this.#store.digests.stale(this.#settledSeq);
    const waiting: StaleSession[] = [];
    let written = 0;
    for (const [at, session] of stale.entries()) {
      progress?.(at, stale.length);
      const isQuiet = quietSince === null || session.lastTs < quietSince;
      if (signal.aborted || yields() || !isQuiet) waiting.push(session);
      else if (await this.#write(session, signal)) written += 1;
      else waiting.push(session);
    }
    this.#settledSeq = Math.min(newest, ...waiting.map(({ lastSeq }) => lastSeq - 1));
    return written;
  }

  /** Writes the digest of one session if it has new events, also during a run. */
  async write(sessionId: string, signal: AbortSignal): Promise<void> {
    const session = this.#store.digests.staleOne(sessionId);
    if (session === null || signal.aborted) return;
    const writing = this.#write(session, signal);
    this.#writing = Promise.allSettled([this.#writing, writing]);
    await writing;
  }

  /** Settles when no single digest is being written. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  /** False when the run was stopped or the session changed during it: the next run writes it. */
  async #write({ sessionId, lastSeq }: StaleSession, signal: AbortSignal): Promise<boolean> {
    const { digests, prompts, connection } = this.#store;
    const facts = new SessionTally();
    const talk = new SessionTalk();
    let last: SessionEvent | null = null;
    let events = 0;
    for (;;) {
      const page = digests.events(sessionId, lastSeq, last, digestPageEvents);
      for (const { payloadJson } of page) {
        const parsed = parsePayload(payloadJson);
        if (!('payload' in parsed)) continue;
        if (parsed.payload.message !== undefined) talk.take(parsed.payload);
        else if (facts.take(readCall(parsed.payload))) talk.worked();
      }
      events += page.length;
      last = page.at(-1) ?? last;
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (signal.aborted) return false;
      if (page.length < digestPageEvents) break;
    }
    if (last === null) return false;
    const { ts } = last;
    return connection.transaction(() => {
      // The digest must not keep a call that was forgotten during the run.
      if (digests.eventsUpTo(sessionId, lastSeq) !== events) return false;
      if (talk.isEmpty()) for (const { text } of prompts.of(sessionId, digestPromptsMax)) talk.prompt(text);
      const account = compose(talk, facts);
      digests.save({ sessionId, ...account, model: writer, ts, lastSeq });
      return true;
    });
  }
}
