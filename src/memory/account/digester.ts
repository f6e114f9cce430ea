import { setImmediate as nextTurn } from 'node:timers/promises';
import { messageOf } from '#core/platform';
import { ForgottenTable, type StaleSession, type Store } from '#memory/store';
import { accountForm } from './account.ts';
import { FailedSessions, isOfSession } from './failed-sessions.ts';
import { Folds } from './folds.ts';
import { accountText } from './text.ts';

const digestPromptsMax = 500;

export interface DigestRun {
  /** Only sessions whose last event is older than this time (ISO 8601); null: all. */
  readonly quietSince: string | null;
  readonly signal: AbortSignal;
  /** Whether to end before the next session; one is always written. */
  readonly yields?: () => boolean;
  /** Takes how many sessions are done, and of how many. */
  readonly progress?: (done: number, total: number) => void;
}

type Report = (message: string, fields: Readonly<Record<string, string>>) => void;

/** The value of `digests.model` for a digest without a model. */
const writer = 'builtin';

/**
 * Writes the digests and accounts of sessions that have new events, then the accounts that an earlier version did not write. A session
 * whose account fails costs no other one its own.
 */
export class Digester {
  readonly #store: Store;
  readonly #report: Report;
  readonly #failed: FailedSessions;
  /** No event up to this one needs a digest, so later runs skip them. */
  #settledSeq = 0;
  /** Forgetting a call deletes the digest of its session and adds no event. */
  #removals = '';
  #writing: Promise<unknown> = Promise.resolve();
  readonly #folds: Folds;

  constructor(store: Store, report: Report = () => {}) {
    this.#store = store;
    this.#report = report;
    this.#failed = new FailedSessions(store);
    this.#folds = new Folds(store);
  }

  /** Returns the number of digests written. Yields between pages of events and between sessions. */
  async run(options: DigestRun): Promise<number> {
    const { quietSince, signal, yields = () => false, progress } = options;
    const removals = new ForgottenTable(this.#store).mark();
    if (removals !== this.#removals) {
      this.#settledSeq = 0;
      this.#folds.clear();
    }
    this.#removals = removals;
    const newest = this.#store.connection.newestSeq();
    const stale = this.#store.digests.stale(this.#settledSeq, accountForm);
    const waiting: StaleSession[] = [];
    let written = 0;
    if (this.#settledSeq === 0) this.#failed.keep(stale);
    for (const [at, session] of stale.entries()) {
      progress?.(at, stale.length);
      const isQuiet = quietSince === null || session.lastTs < quietSince;
      // The list of a large database takes longer than a short tick.
      const isOver = signal.aborted || (written > 0 && yields());
      if (!isOver && this.#failed.has(session)) continue;
      const result = isOver || !isQuiet ? 'waits' : await this.#tried(session, signal);
      if (result === 'written') written += 1;
      else if (result === 'waits') waiting.push(session);
    }
    this.#settledSeq = Math.min(newest, ...waiting.map(({ lastSeq }) => lastSeq - 1));
    return written;
  }

  /** Writes the digest of one session if it has new events, also during a run. */
  async write(sessionId: string, signal: AbortSignal): Promise<void> {
    const session = this.#store.digests.staleOne(sessionId);
    if (session === null || signal.aborted || this.#failed.has(session)) return;
    const writing = this.#tried(session, signal);
    this.#writing = Promise.allSettled([this.#writing, writing]);
    await writing;
  }

  /** Settles when no single digest is being written. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #tried(session: StaleSession, signal: AbortSignal): Promise<'written' | 'waits' | 'failed'> {
    try {
      return (await this.#write(session, signal)) ? 'written' : 'waits';
    } catch (error) {
      if (!isOfSession(error)) throw error;
      this.#failed.add(session);
      const { sessionId } = session;
      this.#report('the account of a session failed', { session: sessionId, error: messageOf(error) });
      return 'failed';
    }
  }

  /** False when the run was stopped or the session changed during it: the next run writes it. */
  async #write({ sessionId, lastSeq, isBehind }: StaleSession, signal: AbortSignal): Promise<boolean> {
    const { digests, prompts, connection } = this.#store;
    const before = digests.account(sessionId);
    const folding = this.#folds.of(sessionId, lastSeq, before?.lastSeq ?? -1);
    let step = folding.next();
    for (; step.done !== true; step = folding.next()) {
      await nextTurn();
      if (signal.aborted) return false;
    }
    const fold = step.value;
    const { last } = fold;
    if (last === null) return false;
    await nextTurn();
    if (signal.aborted) return false;
    const isSilent = fold.isSilent;
    if (isSilent) fold.prompts(prompts.of(sessionId, digestPromptsMax).map(({ text }) => text));
    const account = fold.account();
    const written = connection.transaction(() => {
      // The digest must not keep a call that was forgotten during the run.
      if (digests.eventsUpTo(sessionId, lastSeq) !== fold.events) return false;
      const former = digests.get(sessionId);
      // Shortened events say less than the digest that was written from the whole ones.
      const keepsText = !isBehind && (fold.isShrunk || former?.text === '');
      const { text, terms } =
        keepsText && former !== null ? former : { text: accountText(account), terms: fold.terms(account) };
      digests.save({ sessionId, text, terms, model: writer, ts: last.ts, lastSeq });
      digests.saveAccount(sessionId, accountForm, keepsText && text === '' ? '' : JSON.stringify(account));
      return true;
    });
    if (written && !isSilent) this.#folds.keep(sessionId, fold, lastSeq);
    return written;
  }
}
