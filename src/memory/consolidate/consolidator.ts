import { randomUUID } from 'node:crypto';
import type { Config } from '../../core/config/index.ts';
import { messageOf } from '../../core/platform/index.ts';
import { type Asking, curate } from '../curate/index.ts';
import { Digester } from '../digest/index.ts';
import type { EmbedderCascade } from '../embed/index.ts';
import { isCorruption, type Store } from '../store/index.ts';
import { type DrainOptions, type DrainResult, drain, refine } from '../summarise/index.ts';
import { type OpenBackends, openBackends } from './backends.ts';
import { ChosenBackend, type Report } from './chosen.ts';
import { releaseDead } from './dead-drainers.ts';
import { embedMissing } from './embed-missing.ts';
import { openEmbedders } from './embedders.ts';

const digestQuietMs = 10 * 60_000;
const digestSessionsPerTickMax = 32;
export const refineRowsPerTickMax = 32;

export interface ConsolidatorOptions {
  readonly store: Store;
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly report: Report;
}

/** What consolidation works with now, for `info`. */
export interface BackendState {
  /** `local`, `hosted`, `builtin`, or `none`. */
  readonly drain: string;
  /** Why it is none, or what keeps it from working while events wait; to the letter. */
  readonly drainError: string | null;
  /** What to do about that, or about a better backend that is not used. */
  readonly drainHint: string | null;
  readonly embedder: string;
}

/** Summaries for raw events and vectors for summaries, by whatever is there at the moment. */
export class Consolidator {
  readonly #options: ConsolidatorOptions;
  readonly #backends: OpenBackends;
  readonly #chosen: ChosenBackend;
  readonly #embedders: EmbedderCascade;
  readonly #digester: Digester;
  readonly #owner = `${process.pid}-${randomUUID()}`;
  readonly #refining: Report;
  readonly #asking: Report;
  #stopAsking: (() => void) | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  /** @throws Failure `bad_key` */
  constructor(options: ConsolidatorOptions) {
    this.#options = options;
    this.#refining = once(options.report);
    this.#asking = once(options.report);
    this.#digester = new Digester(options.store);
    this.#backends = openBackends(options);
    const { config, report, store } = options;
    const someWait = () => store.events.someRaw();
    this.#chosen = new ChosenBackend({ config, report, backends: this.#backends, someWait });
    this.#embedders = openEmbedders(options);
  }

  /**
   * Summarises at most `limit` raw events (null: all), embeds what has no vector and writes every digest that is not up to
   * date: whoever asks for a drain wants it all now. One drain at a time.
   */
  drain(limit: number | null, signal: AbortSignal): Promise<DrainResult> {
    // Whoever waits for a drain waits for no question about pairs: that pair is asked about another time.
    this.#stopAsking?.();
    return this.#inTurn(async () => {
      const result = await this.#drain(limit, signal);
      await this.#digester.run({ quietSince: null, sessionsMax: Number.POSITIVE_INFINITY, signal });
      return result;
    });
  }

  /**
   * Has at most `limit` (null: all) summaries of the builtin summariser written anew by a better backend, newest first; then
   * asks about pairs, as far as no event waits.
   */
  refine(limit: number | null, signal: AbortSignal): Promise<DrainResult> {
    return this.#inTurn(async () => {
      const result = await this.#refine({ ...this.#work(signal), yields: () => false }, limit);
      await this.#ask(signal);
      return result;
    });
  }

  /**
   * What the background does at every tick: new events, then what has no vector, then a few builtin summaries for a better
   * backend, as long as no new event comes; the digests of sessions that have come to rest; last, and only when no event
   * waited, questions about pairs. Nothing is probed while nothing waits.
   */
  async tick(signal: AbortSignal): Promise<DrainResult> {
    const { events } = this.#options.store;
    if (events.someRaw()) {
      const result = await this.#inTurn(() => this.#drain(null, signal));
      await this.#digestQuiet(signal);
      await this.#refineSome(signal);
      return result;
    }
    await this.#inTurn(async () => {
      await this.#embedMissing(signal);
      await this.#curate(signal);
    });
    await this.#digestQuiet(signal);
    await this.#refineSome(signal);
    await this.#inTurn(() => this.#ask(signal));
    return { processed: 0 };
  }

  /** Writes the digest of a session that has come to rest, at once: it needs no summaries, and a drain may take minutes. */
  digest(sessionId: string, signal: AbortSignal): Promise<void> {
    return this.#digester.write(sessionId, signal);
  }

  /** Settles when no drain is under way; each ends soon after its signal is aborted. No look at a model outlives it. */
  async close(): Promise<void> {
    this.#embedders.close();
    await this.#digester.settled();
    // A tick goes on to its next part when one ends: until nothing was added, there is work that needs the store.
    for (let turn: unknown = null; turn !== this.#queue; ) {
      turn = this.#queue;
      await turn;
    }
  }

  /** The embedders in force, for the searcher: a question is embedded by what embedded the answers. */
  get embedders(): EmbedderCascade {
    return this.#embedders;
  }

  /** What is in use, as far as it is known; asks the models only when it never has. */
  async state(signal: AbortSignal): Promise<BackendState> {
    const drain = await this.#chosen.state(signal);
    const embedder = await this.#embedders.current(signal);
    return { ...drain, embedder: embedder.name };
  }

  /** What to do about the error of a drain, or about the better backend that the last one did without; null: nothing. */
  hint(firstError: string | null): string | null {
    return this.#chosen.hint(firstError);
  }

  /** The tokens left of the day's budget for the hosted backend, or null without a key. */
  budget(): { dailyTokens: number; remainingTokens: number } | null {
    return this.#backends.budget();
  }

  async #drain(limit: number | null, signal: AbortSignal): Promise<DrainResult> {
    releaseDead(this.#options.store, this.#owner);
    const result = await drain({ ...this.#work(signal), choose: () => this.#chosen.choose(signal) }, limit);
    await this.#embedMissing(signal);
    await this.#curate(signal);
    return result;
  }

  /** A drain that did its work has not failed when this does: the next one looks at what is left. */
  async #curate(signal: AbortSignal, asking: Asking | null = null): Promise<void> {
    const { store, report } = this.#options;
    try {
      const { asked } = await curate({ store, signal, report, asking });
      if (asked?.outage !== undefined) {
        this.#asking('asking about pairs stopped by an outage', { error: asked.outage });
      }
    } catch (error) {
      if (isCorruption(error)) throw error;
      report('curation failed', { error: messageOf(error) });
    }
  }

  /** Asks about pairs with what a drain would use now, as far as the settings allow it for this and no event waits. */
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
      if (judge !== null) await this.#curate(stop.signal, { judge, yields });
    } finally {
      signal.removeEventListener('abort', end);
      this.#stopAsking = null;
    }
  }

  async #digestQuiet(signal: AbortSignal): Promise<void> {
    const quietSince = new Date(Date.now() - digestQuietMs).toISOString();
    const run = { quietSince, sessionsMax: digestSessionsPerTickMax, signal };
    await this.#inTurn(() => this.#digester.run(run));
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

  async #refine(
    work: Omit<DrainOptions, 'choose'> & { yields: () => boolean },
    limit: number | null,
  ): Promise<DrainResult> {
    const { signal, store } = work;
    releaseDead(store, this.#owner);
    const choose = () => this.#chosen.better(this.#backends.forRefining, signal);
    const result = await refine({ ...work, choose }, limit);
    if (result.processed > 0) {
      await this.#embedMissing(signal);
      await this.#curate(signal);
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
    const work = { ...this.#work(signal), report: this.#refining, yields: () => store.events.someRaw() };
    await this.#inTurn(async () => {
      if (isWanted()) await this.#refine(work, refineRowsPerTickMax);
    });
  }

  #embedMissing(signal: AbortSignal): Promise<void> {
    const { store, report } = this.#options;
    return embedMissing({ store, report, embedders: this.#embedders, signal });
  }

  /** Drains of one process follow each other: the second would find every row leased. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work, work);
    this.#queue = turn.catch(() => {
      // Told to whoever asked for that turn; the next one starts afresh.
    });
    return turn;
  }
}

/** Says a thing once, not every tick, while it stays the same. */
function once(report: Report): Report {
  let last = '';
  return (message, fields) => {
    const told = `${message} ${JSON.stringify(fields)}`;
    if (told !== last) report(message, fields);
    last = told;
  };
}
