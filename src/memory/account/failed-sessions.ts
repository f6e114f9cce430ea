import { Failure } from '#core/platform';
import { ForgottenTable, isCorruption, type StaleSession, type Store } from '#memory/store';
import { version } from '../../core/version.ts';
import { accountForm } from './account.ts';

const setting = 'accounts.failed';

/** The sessions whose account failed. Each is tried again when its events are others, and by another version. */
export class FailedSessions {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  has(session: StaleSession): boolean {
    const tried = this.#known().get(session.sessionId);
    return tried !== undefined && tried === this.#triedAs(session);
  }

  add(session: StaleSession): void {
    this.#save(this.#known().set(session.sessionId, this.#triedAs(session)));
  }

  /** Drops those that are not in `stale`, the list of all that need an account. */
  keep(stale: readonly StaleSession[]): void {
    const known = this.#known();
    if (known.size === 0) return;
    const needed = new Set(stale.map(({ sessionId }) => sessionId));
    this.#save(new Map([...known].filter(([sessionId]) => needed.has(sessionId))));
  }

  /** Read each time: another process may drain. */
  #known(): Map<string, string> {
    return new Map(JSON.parse(this.#store.settings.get(setting) ?? '[]') as [string, string][]);
  }

  #save(known: ReadonlyMap<string, string>): void {
    this.#store.settings.set(setting, known.size === 0 ? null : JSON.stringify([...known]));
  }

  /** A change of a stored event sets back the `last_seq` of its digest, or counts as a removal. */
  #triedAs({ sessionId, lastSeq }: StaleSession): string {
    const before = this.#store.digests.account(sessionId)?.lastSeq ?? -1;
    const removals = new ForgottenTable(this.#store).mark();
    return [lastSeq, before, removals, version, accountForm].join(' ');
  }
}

/** TOOBIG, CONSTRAINT and MISMATCH, in the low byte (https://www.sqlite.org/rescode.html): the row's fault, not the file's. */
const rowCodes: ReadonlySet<number> = new Set([18, 19, 20]);

/** Whether an error comes from the events of one session, not from the database as a whole. */
export function isOfSession(error: unknown): boolean {
  if (error instanceof Failure || !(error instanceof Error)) return false;
  if ('errcode' in error && typeof error.errcode === 'number') return rowCodes.has(error.errcode & 0xff);
  return !('syscall' in error) && !isCorruption(error);
}
