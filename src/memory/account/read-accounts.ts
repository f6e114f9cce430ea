import { hash } from 'node:crypto';
import { helpersOf, type Store } from '#memory/store';
import { type Brief, readAccount, type SessionAccount } from './account.ts';
import { briefOf } from './brief.ts';
import { isOfSession } from './failed-sessions.ts';
import { Folds } from './folds.ts';
import { withHelpers } from './sub-agents.ts';

const promptsMax = 500;
const briefsMax = 500;
const foldedMax = 8;

/** The accounts of sessions for those who show them: the stored one while it has all events, else folded now. Writes nothing. */
export class SessionAccounts {
  readonly #store: Pick<Store, 'connection' | 'digests' | 'prompts'>;
  readonly #folds: Folds;
  readonly #briefs = new Map<string, KnownBrief>();
  /** Those of running sessions, by session and change of the database: a page asks for one again and again. */
  readonly #folded = new Map<string, SessionAccount>();

  constructor(store: Pick<Store, 'connection' | 'digests' | 'prompts'>) {
    this.#store = store;
    this.#folds = new Folds(store);
  }

  /** Null without an event, when its digest was forgotten, and when its events cannot be folded. */
  of(sessionId: string): SessionAccount | null {
    return this.#whole(sessionId, (one) => this.#alone(one));
  }

  /** Those of its helpers stay theirs where they are stored, and are forgotten with their events. */
  #whole(sessionId: string, read: (sessionId: string) => SessionAccount | null): SessionAccount | null {
    const account = read(sessionId);
    if (account === null) return null;
    const helpers = helpersOf(this.#store.connection, sessionId);
    return withHelpers(
      account,
      helpers.flatMap((one) => read(one) ?? []),
    );
  }

  #alone(sessionId: string): SessionAccount | null {
    const { digests } = this.#store;
    const upTo = digests.lastSeqOf(sessionId);
    if (upTo === 0) return null;
    const stored = digests.account(sessionId);
    if (stored !== null && stored.lastSeq >= upTo) {
      if (stored.json === '') return null;
      const account = readAccount(stored.json);
      if (account !== null) return account;
    }
    const now = `${sessionId} ${this.#store.connection.changes()}`;
    const known = this.#folded.get(now);
    if (known !== undefined) return known;
    const key = stored?.lastSeq ?? -1;
    let account: SessionAccount;
    try {
      account = this.#fold(sessionId, upTo, key);
    } catch (error) {
      // One session must not cost the others their outline or list.
      if (!isOfSession(error)) throw error;
      return readAccount(stored?.json ?? null);
    }
    if (this.#folded.size >= foldedMax) this.#folded.clear();
    this.#folded.set(now, account);
    return account;
  }

  #fold(sessionId: string, upTo: number, key: number): SessionAccount {
    const { prompts } = this.#store;
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
    return this.#whole(sessionId, (one) => readAccount(this.#jsonOf(one)));
  }

  /**
   * What a list shows of the stored ones, on a connection that only reads. Lists are read again and again, and few accounts have changed
   * since.
   */
  withBriefs<Row extends { readonly sessionId: string }>(rows: readonly Row[]) {
    const version = this.#store.connection.dataVersion();
    return rows.map((row) => ({ ...row, brief: this.#brief(row.sessionId, version) }));
  }

  #brief(sessionId: string, version: number): Brief | null {
    const before = this.#briefs.get(sessionId);
    if (before?.version === version) return before.brief;
    const helpers = helpersOf(this.#store.connection, sessionId);
    const jsons = [sessionId, ...helpers].map((one) => this.#jsonOf(one));
    const digest = hash('sha1', jsons.join('\n'));
    const brief = before?.digest === digest ? before.brief : briefIn(jsons);
    if (before !== undefined || this.#briefs.size < briefsMax)
      this.#briefs.set(sessionId, { version, digest, brief });
    return brief;
  }

  #jsonOf(sessionId: string): string | null {
    return this.#store.digests.account(sessionId)?.json ?? null;
  }
}

function briefIn(jsons: readonly (string | null)[]): Brief | null {
  const [own = null, ...helpers] = jsons.map(readAccount);
  const known = helpers.filter((one) => one !== null);
  return own && briefOf(withHelpers(own, known));
}

interface KnownBrief {
  /** Of the database. */
  readonly version: number;
  /** Of the account: a long one has 40 kB. */
  readonly digest: string;
  readonly brief: Brief | null;
}
