import type { SessionAccounts } from '#memory/account';
import { OutlineReads, type Store } from '#memory/store';
import { notInTime, type Standings, type State, type States } from '#query/state';
import type { Gathered, Given } from './gathered.ts';
import { lookUp } from './look-up.ts';
import { gather, keepsContext, type Outline, type OutlineRequest, printed } from './outline.ts';

/** For so long, newer events of the same sessions may be missing. Events are drained, and outlines prepared, more often. */
const settledMs = 60_000;
/** After a change of what may be said, such as a pin; several come together. */
const changedDelayMs = 300;
const checkedMs = 2_000;
const compactedMax = 4;

interface Made {
  readonly gathered: Gathered;
  readonly atMs: number;
  readonly of: ReturnType<OutlineReads['mark']>;
}

export interface PreparedOptions {
  readonly store: Pick<Store, 'connection' | 'digests'>;
  readonly accounts: SessionAccounts;
  readonly states: States;
  readonly standings: Standings;
  /** 0: no outlines. */
  readonly tokenBudget: number;
}

/**
 * The outlines that sessions are about to ask for, gathered before they ask: of the project, and of sessions that are being compacted.
 * Giving one reads no event. It is gathered when asked for if it is missing, or if it may lack a session or a memory.
 */
export class PreparedOutlines {
  readonly #options: PreparedOptions;
  readonly #reads: OutlineReads;
  /** By the session whose handoff it is; empty for the project's. */
  readonly #made = new Map<string, Made>();
  /** As last found, for those that are not checked in time. */
  #states: ReadonlyMap<number, State> = new Map();
  #soon: NodeJS.Timeout | undefined;

  constructor(options: PreparedOptions) {
    this.#options = options;
    this.#reads = new OutlineReads(options.store);
  }

  /** Gathers what has changed, and `compacted`: a session that will ask for its own handoff. */
  async prepare(compacted = ''): Promise<void> {
    if (this.#options.tokenBudget === 0) return;
    const compactions = [...this.#made.keys(), compacted].filter((one) => one !== '');
    for (const session of new Set(['', ...compactions.slice(-compactedMax)])) {
      const made = this.#made.get(session);
      if (made === undefined || made.of.changes !== this.#reads.mark().changes) this.#make(session);
    }
    const made = this.#made.get('');
    if (made !== undefined) await this.#lookUp(made.gathered, { budgetMs: checkedMs });
  }

  /** What was said may be wrong now, or must not be said any more: nothing gathered before is given. */
  changed(): void {
    this.#made.clear();
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => {
      this.prepare().catch(() => {
        // The next session that starts gathers it itself, and says what fails.
      });
    }, changedDelayMs);
    this.#soon.unref();
  }

  /** The outline, its text possibly empty; its states are checked for `checkMs` at most. */
  async give(request: OutlineRequest, checkMs: number): Promise<Outline> {
    const { tokenBudget } = this.#options;
    if (tokenBudget === 0) return { text: '', ids: [] };
    const gathered = this.#gathered(request);
    const { changes } = this.#reads.mark();
    const given = await this.#lookUp(gathered, { budgetMs: checkMs, cwd: request.cwd });
    // A memory may have been forgotten meanwhile.
    const said = this.#reads.mark().changes === changes ? gathered : this.#gathered(request);
    // What git was asked belongs to what was gathered then.
    const known = said === gathered ? given : { ...given, standings: [] };
    const outline = printed(said, { ...known, tokenBudget });
    if (request.source === 'compact') this.#made.delete(request.session);
    return outline;
  }

  close(): void {
    clearTimeout(this.#soon);
  }

  #gathered(request: OutlineRequest): Gathered {
    const { session, source } = request;
    const { store, accounts } = this.#options;
    const about = source === 'compact' ? session : '';
    const made = this.#made.get(about);
    const standing = made !== undefined && this.#stands(made, about) ? made.gathered : null;
    if (keepsContext(request))
      return standing === null ? gather(store, accounts, request) : { ...standing, sections: [], open: [] };
    // A session that has begun already is not listed in its own outline.
    if (about === '' && this.#reads.hasEvents(session)) return gather(store, accounts, request);
    return standing ?? this.#make(about);
  }

  #make(session: string): Gathered {
    const { store, accounts } = this.#options;
    const gathered = gather(store, accounts, { session, source: session === '' ? 'startup' : 'compact' });
    this.#made.set(session, { gathered, atMs: performance.now(), of: this.#reads.mark() });
    return gathered;
  }

  /** Whether nothing has changed but sessions that go on. */
  #stands({ gathered, atMs, of }: Made, session: string): boolean {
    const now = this.#reads.mark();
    if (now.changes === of.changes) return true;
    if (now.memory !== of.memory || now.others !== of.others) return false;
    const since = this.#reads.sessionsSince(of.seq);
    if (session !== '') return !since.includes(session);
    return performance.now() - atMs < settledMs && since.every((one) => gathered.sessions.includes(one));
  }

  async #lookUp(gathered: Gathered, how: Parameters<typeof lookUp>[2]): Promise<Omit<Given, 'tokenBudget'>> {
    const found = await lookUp(gathered, this.#options, how);
    const known = this.#states;
    this.#states = new Map(
      [...found.states].map(([id, one]) => [id, one === notInTime ? (known.get(id) ?? one) : one]),
    );
    return { ...found, states: this.#states };
  }
}
