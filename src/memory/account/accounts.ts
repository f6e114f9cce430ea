import type { Store } from '../store/index.ts';
import { readAccount, type SessionAccount } from './account.ts';
import { Folds } from './folds.ts';

const promptsMax = 500;

/** The accounts of sessions for those who show them: the stored one while it has all events, else folded now. Writes nothing. */
export class SessionAccounts {
  readonly #store: Pick<Store, 'digests' | 'prompts'>;
  readonly #folds: Folds;

  constructor(store: Pick<Store, 'digests' | 'prompts'>) {
    this.#store = store;
    this.#folds = new Folds(store);
  }

  /** Null without an event, and when its digest was forgotten. */
  of(sessionId: string): SessionAccount | null {
    const { digests, prompts } = this.#store;
    const upTo = digests.lastSeqOf(sessionId);
    if (upTo === 0) return null;
    const stored = digests.account(sessionId);
    if (stored !== null && stored.lastSeq >= upTo) {
      if (stored.json === '') return null;
      const account = readAccount(stored.json);
      if (account !== null) return account;
    }
    const key = stored?.lastSeq ?? -1;
    const folding = this.#folds.of(sessionId, upTo, key);
    let step = folding.next();
    while (step.done !== true) step = folding.next();
    const fold = step.value;
    if (fold.isSilent) fold.prompts(prompts.of(sessionId, promptsMax).map(({ text }) => text));
    else this.#folds.keep(sessionId, fold, key);
    return fold.account();
  }

  /** The stored one, of any age; null while there is none. */
  stored(sessionId: string): SessionAccount | null {
    return readAccount(this.#store.digests.account(sessionId)?.json ?? null);
  }
}
