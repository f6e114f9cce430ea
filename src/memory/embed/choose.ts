import { probeIntervalMs } from '#core/limits';
import { messageOf } from '#core/platform';
import { Absence } from './absence.ts';
import { deterministicEmbedder } from './deterministic.ts';
import type { Embedder } from './embedder.ts';
import type { KeptSettings } from './kept-settings.ts';
import { findLocalEmbedder } from './local.ts';
import { ollamaName } from './ollama.ts';
import { unlessAborted } from './unless-aborted.ts';

const embedderLooksMin = 2;

export interface EmbedderSettings {
  /** `localllm.endpoint` */
  readonly endpoint: string;
  /** `localllm.embedModel` */
  readonly embedModel: string;
  readonly vectors: VectorsKept;
  /** Logs a look that failed. */
  readonly report: (message: string, fields: Readonly<Record<string, string>>) => void;
  /** Milliseconds from any fixed point. */
  readonly now: () => number;
}

/** The parts of the database that the cascade needs. */
export interface VectorsKept extends KeptSettings {
  /** Whether vectors of the embedder `name` are stored; of any embedder, when it is null. */
  holds(name: string | null): boolean;
}

/**
 * The embedder in force (spec.md 1.5): the local runtime's model, else the deterministic one. The model takes over when the
 * store holds vectors of its own or none at all, else when `embedderLooksMin` looks in a row found it: only then is everything
 * embedded again (docs/decisions/008).
 */
export class EmbedderCascade {
  readonly #settings: EmbedderSettings;
  readonly #localName: string;
  readonly #fallback = deterministicEmbedder();
  readonly #absence: Absence;
  readonly #closing = new AbortController();
  #looksInRow = 0;
  #inForce: Embedder | null = null;
  /** The result of the last look, also when it has failed since. */
  #last: Embedder | null = null;
  #lookedAt = 0;
  #looking: Promise<Embedder> | null = null;

  constructor(settings: EmbedderSettings) {
    this.#settings = settings;
    this.#localName = ollamaName(settings.embedModel);
    this.#absence = new Absence(settings.vectors, this.#localName);
  }

  /**
   * The strongest embedder that works. The first call looks; later calls return the last result immediately and look again in
   * the background when it is older than `probeIntervalMs`. Rejects only when `signal` is aborted while waiting.
   */
  current(signal: AbortSignal): Promise<Embedder> {
    const inForce = this.#inForce;
    const isFresh = this.#settings.now() - this.#lookedAt < probeIntervalMs;
    if (inForce !== null && isFresh) return Promise.resolve(inForce);
    this.#looking ??= this.#look();
    return inForce === null ? unlessAborted(this.#looking, signal) : Promise.resolve(inForce);
  }

  /** The stronger embedder while it is away for a short time: its vectors must not be replaced by weaker ones. */
  kept(): readonly string[] {
    return this.#last?.name !== this.#localName && this.#absence.isShort() ? [this.#localName] : [];
  }

  /** To be called when an embedder could not embed: the next `current` looks before it answers. */
  failed({ name }: Embedder): void {
    if (name === this.#inForce?.name) this.#inForce = null;
  }

  /** Ends a running look. */
  close(): void {
    this.#closing.abort();
  }

  async #look(): Promise<Embedder> {
    try {
      const found = await this.#strongest();
      this.#last = found;
      this.#inForce = found;
      this.#lookedAt = this.#settings.now();
      return found;
    } finally {
      this.#looking = null;
    }
  }

  async #strongest(): Promise<Embedder> {
    const { endpoint, embedModel, vectors, report } = this.#settings;
    const found = await findLocalEmbedder({ endpoint, model: embedModel }, vectors, this.#closing.signal);
    // The database may be closed too.
    if (this.#closing.signal.aborted) return this.#fallback;
    try {
      if (found === null) this.#missed();
      else if (this.#takesOver()) return found;
    } catch (error) {
      // The database cannot be read or written now: the embedder in force stays, if it works.
      report('the choice of the embedder failed', { error: messageOf(error) });
      if (found !== null && this.#last?.name === found.name) return found;
    }
    return this.#fallback;
  }

  #missed(): void {
    this.#looksInRow = 0;
    this.#absence.missed(this.#settings.now());
  }

  /** Whether the model that was found replaces the embedder in force. */
  #takesOver(): boolean {
    const { vectors } = this.#settings;
    this.#looksInRow += 1;
    if (this.#looksInRow === 1) this.#absence.found();
    if (this.#looksInRow >= embedderLooksMin || this.#last?.name === this.#localName) return true;
    return vectors.holds(this.#localName) || !vectors.holds(null);
  }
}
