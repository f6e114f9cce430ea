import type { Store } from '#memory/store';
import { AccountFold } from './fold.ts';

export const foldPageEvents = 64;
const keptMax = 4;

interface Kept {
  readonly fold: AccountFold;
  /** The `last_seq` of the stored digest when it was folded: whoever changes a stored event sets it back. */
  readonly key: number;
}

/** The folds of the last few sessions, so that an event later only that event is folded. */
export class Folds {
  readonly #store: Pick<Store, 'digests'>;
  readonly #kept = new Map<string, Kept>();

  constructor(store: Pick<Store, 'digests'>) {
    this.#store = store;
  }

  /** Folds the events of a session up to `upToSeq`, a page at a time. Nobody else gets the fold until it is kept. */
  *of(sessionId: string, upToSeq: number, key: number): Generator<void, AccountFold> {
    const { digests } = this.#store;
    const kept = this.#kept.get(sessionId);
    this.#kept.delete(sessionId);
    const isValid =
      kept?.key === key && digests.eventsUpTo(sessionId, upToSeq, kept.fold.last) === kept.fold.events;
    const fold = isValid ? kept.fold : new AccountFold();
    for (;;) {
      const page = digests.events(sessionId, upToSeq, fold.last, foldPageEvents);
      for (const event of page) fold.take(event);
      if (page.length < foldPageEvents) return fold;
      yield;
    }
  }

  keep(sessionId: string, fold: AccountFold, key: number): void {
    this.#kept.set(sessionId, { fold, key });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > keptMax && oldest !== undefined) this.#kept.delete(oldest);
  }

  clear(): void {
    this.#kept.clear();
  }
}
