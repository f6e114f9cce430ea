import { randomUUID } from 'node:crypto';
import { messageOf } from '#core/platform';
import { Digester } from '#memory/account';
import { type Asking, curate } from '#memory/curate';
import type { EmbedderCascade } from '#memory/embed';
import { isCorruption } from '#memory/store';
import { type DrainOptions, type DrainResult, drain, refine } from '#memory/summarise';
import { type OpenBackends, openBackends } from './backends.ts';
import { ChosenBackend, once } from './chosen.ts';
import { releaseDead } from './dead-drainers.ts';
import { drainTurn } from './drain-turn.ts';
import { embedMissing } from './embed-missing.ts';
import { openEmbedders } from './embedders.ts';
import type { ConsolidatorOptions, Report } from './options.ts';

const digestQuietMs = 10 * 60_000;
export const refineRowsPerTickMax = 32;

/** The backends in use, for `info`. */
export interface BackendState {
  /** `local`, `hosted`, `builtin`, or `none`. */
  readonly drain: string;
  /** Why there is no backend, or why events wait; the exact error. */
  readonly drainError: string | null;
  /** The repair for that, or for a better backend that is not used. */
  readonly drainHint: string | null;
  readonly embedder: string;
}

/** How far a caller's drain is, in the order of its steps. `waiting`: the background ends its batch. */
export interface DrainProgress {
  readonly step: 'waiting' | 'summaries' | 'vectors' | 'links' | 'digests';
  readonly done: number;
  readonly total: number;
}
export type TakeProgress = (progress: DrainProgress) => void;

/** A caller takes progress, the background yields to callers. */
interface For {
  readonly yields: () => boolean;
  readonly progress: TakeProgress;
}

/** Whether work is left because newer events wait. */
export type Tick = DrainResult & { readonly isUnfinished?: true };

/** Summaries for raw events, vectors, digests and edges, with the backends that are available now. */
export class Consolidator {
  readonly #options: ConsolidatorOptions;
  readonly #backends: OpenBackends;
  readonly #chosen: ChosenBackend;
  readonly #embedders: EmbedderCascade;
  readonly #digester: Digester;
  readonly #owner = `${process.pid}-${randomUUID()}`;
  readonly #turn: ReturnType<typeof drainTurn>;
  readonly #background: For;
  readonly #refining: Report;
  readonly #asking: Report;
  #stopAsking: (() => void) | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  /** @throws Failure `bad_key` */
  constructor(options: ConsolidatorOptions) {
    this.#options = options;
    this.#refining = once(options.report);
    this.#asking = once(options.report);
    this.#digester = new Digester(options.store, options.report);
    this.#backends = openBackends(options);
    const { config, report, store } = options;
    const someWait = () => store.events.someRaw();
    this.#chosen = new ChosenBackend({ config, report, backends: this.#backends, someWait });
    this.#embedders = openEmbedders(options);
    this.#turn = drainTurn(store, this.#owner);
    this.#background = { yields: () => this.#turn.isTaken(), progress: () => {} };
  }

  /** Summarises at most `limit` raw events (null: all), embeds, curates and writes every outdated digest. One drain at a time. */
  drain(limit: number | null, signal: AbortSignal, progress: TakeProgress = () => {}): Promise<DrainResult> {
    // The caller does not wait for questions about pairs: they are asked another time.
    this.#stopAsking?.();
    progress({ step: 'waiting', done: 0, total: 0 });
    const work = async (): Promise<DrainResult> => {
      const result = await this.#drain(limit, signal, { yields: () => false, progress });
      await this.#digester.run({
        ...{ quietSince: null, signal },
        progress: (done, total) => progress({ step: 'digests', done, total }),
      });
      return result;
    };
    return this.#turn.during(() => this.#inTurn(work));
  }

  /** Refines at most `limit` (null: all) builtin summaries with a better backend; then asks about pairs if no event waits. */
  refine(limit: number | null, signal: AbortSignal, progress: TakeProgress = () => {}): Promise<DrainResult> {
    progress({ step: 'waiting', done: 0, total: 0 });
    const work = async (): Promise<DrainResult> => {
      const result = await this.#refine(this.#work(signal), limit, { yields: () => false, progress });
      await this.#ask(signal);
      return result;
    };
    return this.#turn.during(() => this.#inTurn(work));
  }

  /**
   * The work of the background at every tick: new events, missing vectors, digests of quiet sessions, refining a few builtin
   * summaries while no new event arrives; last, and only if no event waited, questions about pairs. Probes nothing while nothing
   * waits. Ends after the current batch when a caller wants a drain, or when newer events have waited as long as for a tick: an upgraded
   * database may have work for minutes.
   */
  async tick(signal: AbortSignal): Promise<Tick> {
    const { events } = this.#options.store;
    if (this.#turn.isTaken()) return { processed: 0 };
    const caller = { ...this.#background, yields: this.#newerWait() };
    const someWaited = events.someRaw();
    const result = await this.#inTurn(async () => {
      if (someWaited) return this.#drain(null, signal, caller);
      await this.#embedMissing(signal, caller);
      await this.#curate(signal, caller);
      return { processed: 0 };
    });
    await this.#inTurn(() => this.#digestQuiet(signal, caller));
    await this.#refineSome(signal);
    if (!someWaited) await this.#inTurn(() => this.#ask(signal));
    const isUnfinished = !this.#turn.isTaken() && caller.yields();
    return { ...result, ...(isUnfinished && { isUnfinished }) };
  }

  /** Makes the missing vectors now, and nothing that an export has. */
  embed(signal: AbortSignal): Promise<void> {
    return this.#inTurn(() => this.#embedMissing(signal, this.#background));
  }

  /** Writes the digest of a quiet session now: it needs no summaries, and a drain may take minutes. */
  digest(sessionId: string, signal: AbortSignal): Promise<void> {
    return this.#digester.write(sessionId, signal);
  }

  /** Writes the missing digests of quiet sessions, the newest first; the next tick writes those that newer events have delayed. */
  digestQuiet(signal: AbortSignal): Promise<void> {
    return this.#inTurn(() => this.#digestQuiet(signal, { yields: this.#newerWait() }));
  }

  /** Resolves when no work is left; a drain ends soon after its signal is aborted. Ends a running look for an embedder. */
  async close(): Promise<void> {
    this.#embedders.close();
    await this.#digester.settled();
    // A tick queues its next part when one ends: wait until nothing was added.
    for (let turn: unknown = null; turn !== this.#queue; ) {
      turn = this.#queue;
      await turn;
    }
  }

  /** For the searcher: a query is embedded by the embedder of the summaries. */
  get embedders(): EmbedderCascade {
    return this.#embedders;
  }

  /** The backends in use; probes the models only if nothing has used them yet. */
  async state(signal: AbortSignal): Promise<BackendState> {
    const drain = await this.#chosen.state(signal);
    const embedder = await this.#embedders.current(signal);
    return { ...drain, embedder: embedder.name };
  }

  /** The repair for the error of a drain, or for a better backend that was not usable; null: none. */
  hint(firstError: string | null): string | null {
    return this.#chosen.hint(firstError);
  }

  /** The tokens left of the day's budget for the hosted backend, or null without a key. */
  budget(): { dailyTokens: number; remainingTokens: number } | null {
    return this.#backends.budget();
  }

  /** Whether a caller waits, or, a tick's time from now on, an event that is newer than the newest one of now. */
  #newerWait(): () => boolean {
    const { store, config } = this.#options;
    const newest = store.connection.newestSeq();
    const dueMs = performance.now() + config['drain.tickMs'];
    return () => this.#background.yields() || (performance.now() >= dueMs && store.events.someRaw(newest));
  }

  async #digestQuiet(signal: AbortSignal, { yields }: Pick<For, 'yields'>): Promise<void> {
    const quietSince = new Date(Date.now() - digestQuietMs).toISOString();
    await this.#digester.run({ quietSince, signal, yields });
  }

  async #drain(limit: number | null, signal: AbortSignal, caller: For): Promise<DrainResult> {
    const { store } = this.#options;
    releaseDead(store, this.#owner);
    const choose = () => this.#chosen.choose(signal);
    const total = Math.min(limit ?? Number.POSITIVE_INFINITY, store.stats.counts().raw);
    const progress = (done: number) => caller.progress({ step: 'summaries', done, total });
    // It summarises newer events itself.
    const yields = () => caller.yields() && this.#turn.isTaken();
    const result = await drain({ ...this.#work(signal), choose, yields, progress }, limit);
    await this.#embedMissing(signal, caller);
    await this.#curate(signal, caller);
    return result;
  }

  /** Its failure does not fail the drain: the next one continues. */
  async #curate(signal: AbortSignal, { yields, progress }: For, asking: Asking | null = null): Promise<void> {
    const { store, report } = this.#options;
    try {
      const { asked } = await curate({
        ...{ store, signal, report, asking, yields },
        progress: (done, total) => progress({ step: 'links', done, total }),
      });
      if (asked?.outage !== undefined)
        this.#asking('asking about pairs stopped by an outage', { error: asked.outage });
    } catch (error) {
      if (isCorruption(error)) throw error;
      report('curation failed', { error: messageOf(error) });
    }
  }

  /** Asks about pairs with the backend that a drain would use now, if the settings allow it and no event waits. */
  async #ask(signal: AbortSignal): Promise<void> {
    const { store, config } = this.#options;
    const yields = () => store.events.someRaw();
    if (signal.aborted || config['curate.model'] === 'off' || config['drain.backend'] === 'builtin') return;
    if (yields() || !store.candidatePairs.someWaiting(Date.now())) return;
    const stop = new AbortController();
    const end = () => stop.abort();
    signal.addEventListener('abort', end, { once: true });
    this.#stopAsking = end;
    try {
      const choice = await this.#chosen.better(this.#backends.forAsking, stop.signal);
      const judge = 'backend' in choice ? this.#backends.judgeFor(choice.backend.name) : null;
      if (judge !== null) await this.#curate(stop.signal, this.#background, { judge, yields });
    } finally {
      signal.removeEventListener('abort', end);
      this.#stopAsking = null;
    }
  }

  #work(signal: AbortSignal): Omit<DrainOptions, 'choose'> {
    const { store, config, report } = this.#options;
    return {
      store,
      report,
      signal,
      owner: this.#owner,
      batchSize: config['drain.batchSize'],
      attemptsMax: config['drain.attemptsMax'],
    };
  }

  async #refine(work: Omit<DrainOptions, 'choose'>, limit: number | null, caller: For): Promise<DrainResult> {
    const { signal, store } = work;
    releaseDead(store, this.#owner);
    const choose = () => this.#chosen.better(this.#backends.forRefining, signal);
    const total = limit ?? store.stats.counts().summaries;
    const progress = (done: number) => caller.progress({ step: 'summaries', done, total });
    const result = await refine({ ...work, choose, progress, yields: caller.yields }, limit);
    if (result.processed > 0) {
      await this.#embedMissing(signal, caller);
      await this.#curate(signal, caller);
    }
    return result;
  }

  async #refineSome(signal: AbortSignal): Promise<void> {
    const { store, config } = this.#options;
    const isWanted = () =>
      !signal.aborted &&
      config['drain.backend'] !== 'builtin' &&
      !store.events.someRaw() &&
      store.events.someBuiltin(config['drain.attemptsMax']);
    const work = { ...this.#work(signal), report: this.#refining };
    const yields = () => this.#background.yields() || store.events.someRaw();
    await this.#inTurn(async () => {
      if (isWanted()) await this.#refine(work, refineRowsPerTickMax, { ...this.#background, yields });
    });
  }

  #embedMissing(signal: AbortSignal, { yields, progress }: For): Promise<void> {
    const { store, report } = this.#options;
    const { summaries, embeddings } = store.stats.counts();
    const total = Math.max(0, summaries - embeddings);
    return embedMissing({
      ...{ store, report, embedders: this.#embedders, signal, yields },
      progress: (done) => progress({ step: 'vectors', done, total: Math.max(done, total) }),
    });
  }

  /** Runs one task at a time: a second drain would find every row leased. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work, work);
    this.#queue = turn.catch(() => {
      // The caller of that turn gets the error; the next turn runs.
    });
    return turn;
  }
}
