import { randomUUID } from 'node:crypto';
import { type Config, hostedKey } from '../config/index.ts';
import { chooseEmbedder, type EmbedderCascade, vectorToBlob } from '../embed/index.ts';
import { embedBatchMax } from '../limits.ts';
import { messageOf } from '../platform/index.ts';
import type { Store } from '../store/index.ts';
import {
  type Backends,
  builtinBackend,
  type Choice,
  chooseBackend,
  type DrainResult,
  drain,
  hostedBackend,
  localBackend,
  withBreaker,
} from '../summarise/index.ts';
import { dailyBudget } from './budget.ts';
import { releaseDead } from './dead-drainers.ts';

export type Report = (message: string, fields: Readonly<Record<string, string | number>>) => void;

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
  /** Why it is none. */
  readonly drainError: string | null;
  readonly embedder: string;
}

/** Summaries for raw events and vectors for summaries, by whatever is there at the moment. */
export class Consolidator {
  readonly #options: ConsolidatorOptions;
  readonly #backends: Backends;
  readonly #embedders: EmbedderCascade;
  readonly #owner = `${process.pid}-${randomUUID()}`;
  #choice: Choice | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  /** @throws Failure `bad_key` */
  constructor(options: ConsolidatorOptions) {
    this.#options = options;
    this.#backends = openBackends(options);
    this.#embedders = chooseEmbedder({
      endpoint: options.config['localllm.endpoint'],
      embedModel: options.config['localllm.embedModel'],
      now: () => performance.now(),
    });
  }

  /** Summarises at most `limit` raw events (null: all) and embeds what has no vector. One drain at a time. */
  drain(limit: number | null, signal: AbortSignal): Promise<DrainResult> {
    return this.#inTurn(async () => {
      const { store, config, report } = this.#options;
      releaseDead(store, this.#owner);
      const options = {
        store,
        report,
        signal,
        owner: this.#owner,
        batchSize: config['drain.batchSize'],
        attemptsMax: config['drain.attemptsMax'],
        choose: () => this.#choose(signal),
      };
      const result = await drain(options, limit);
      await this.#embedMissing(signal);
      return result;
    });
  }

  /** What the background does at every tick: nothing is probed while nothing waits. */
  tick(signal: AbortSignal): Promise<DrainResult> {
    if (this.#options.store.ledger.counts().raw > 0) return this.drain(null, signal);
    return this.#inTurn(async () => {
      await this.#embedMissing(signal);
      return { processed: 0 };
    });
  }

  /** Settles when no drain is under way; each ends soon after its signal is aborted. No look at a model outlives it. */
  async close(): Promise<void> {
    this.#embedders.close();
    await this.#queue;
  }

  /** The embedders in force, for the searcher: a question is embedded by what embedded the answers. */
  get embedders(): EmbedderCascade {
    return this.#embedders;
  }

  /** What is in use, as far as it is known; asks the models only when it never has. */
  async state(signal: AbortSignal): Promise<BackendState> {
    const choice = this.#choice ?? (await this.#choose(signal));
    const embedder = await this.#embedders.current(signal);
    return {
      drain: 'backend' in choice ? choice.backend.name : 'none',
      drainError: 'error' in choice ? choice.error : null,
      embedder: embedder.name,
    };
  }

  async #choose(signal: AbortSignal): Promise<Choice> {
    const { config } = this.#options;
    const settings = { backend: config['drain.backend'], fallback: config['drain.fallback'] };
    this.#choice = await chooseBackend(settings, this.#backends, signal);
    return this.#choice;
  }

  async #embedMissing(signal: AbortSignal): Promise<void> {
    const { store, report } = this.#options;
    let behind = 0;
    while (!signal.aborted) {
      const embedder = await this.#embedders.current(signal);
      const missing = store.embeddings.missing(embedder.name, embedder.version, behind, embedBatchMax);
      const last = missing.at(-1);
      if (last === undefined) return;
      let vectors: readonly Float32Array[];
      try {
        vectors = await embedder.embed(
          missing.map((one) => `${one.text}\n${one.terms}`),
          signal,
        );
      } catch (error) {
        // The summaries stay without a vector and are found by their words; the next tick tries again.
        report('embedding failed', { embedder: embedder.name, error: messageOf(error) });
        this.#embedders.failed(embedder);
        return;
      }
      const rows = missing.flatMap((one, index) => {
        const vector = vectors[index];
        if (vector === undefined) return [];
        return [
          { summaryId: one.summaryId, text: one.text, dim: vector.length, vector: vectorToBlob(vector) },
        ];
      });
      store.embeddings.save(embedder.name, embedder.version, rows);
      behind = last.summaryId;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
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

function openBackends({ store, config, env }: ConsolidatorOptions): Backends {
  const apiKey = hostedKey(env, config);
  const model = config['hostedllm.model'];
  const hosted =
    apiKey === null
      ? null
      : withBreaker(
          hostedBackend({
            endpoint: config['hostedllm.endpoint'],
            model,
            apiKey,
            budget: dailyBudget(store, model, config['hostedllm.dailyTokenBudget']),
          }),
        );
  const local = localBackend({ endpoint: config['localllm.endpoint'], model: config['localllm.model'] });
  return { local: withBreaker(local), hosted, builtin: builtinBackend() };
}
