import { probeIntervalMs } from '../../core/limits.ts';
import { messageOf } from '../../core/platform/index.ts';
import { Absences, type KeptSettings } from './absences.ts';
import { deterministicEmbedder } from './deterministic.ts';
import type { Embedder } from './embedder.ts';
import { localSource } from './local-source.ts';
import type { EmbedderSource } from './source.ts';
import { unlessAborted } from './unless-aborted.ts';

const embedderLooksMin = 2;

export interface EmbedderSettings {
  /** `localllm.endpoint` */
  readonly endpoint: string;
  /** `localllm.embedModel` */
  readonly embedModel: string;
  readonly vectors: VectorsKept;
  /** Reports what went wrong in a look. */
  readonly report: (message: string, fields: Readonly<Record<string, string>>) => void;
  /** Milliseconds from any fixed point; tells how old the last look is. */
  readonly now: () => number;
}

/** What the cascade has to know of the database. */
export interface VectorsKept extends KeptSettings {
  /** Whether there are vectors of an embedder of this name; of any embedder, when it is null. */
  holds(name: string | null): boolean;
}

/** The embedder in force: asked for each time, since models come and go. */
export interface EmbedderCascade {
  /**
   * The strongest that can embed. The first call looks; later ones answer at once what the last look found, and look
   * again in the background when that is older than `probeIntervalMs`. Rejects only when `signal` is aborted while waiting.
   */
  current(signal: AbortSignal): Promise<Embedder>;
  /**
   * Names of stronger embedders that are away but hoped for: their vectors are not to be replaced by those of the one
   * in force.
   */
  kept(): readonly string[];
  /** To be told when an embedder could not embed: the next `current` looks before it answers. */
  failed(embedder: Embedder): void;
  /** Ends a look that is under way. */
  close(): Promise<void>;
}

/**
 * The cascade of spec.md 1.5: local runtime, deterministic. A stronger one takes over when the store holds
 * vectors of its own or none at all, else when it was there at `embedderLooksMin` looks in a row: only then is
 * everything made anew. docs/decisions/008 tells why.
 */
export function chooseEmbedder(settings: EmbedderSettings): EmbedderCascade {
  return new Cascade(settings);
}

class Cascade implements EmbedderCascade {
  readonly #settings: EmbedderSettings;
  readonly #sources: readonly EmbedderSource[];
  readonly #fallback = deterministicEmbedder();
  readonly #absences: Absences;
  readonly #looksInRow = new Map<string, number>();
  readonly #closing = new AbortController();
  #inForce: Embedder | null = null;
  /** What the last look put in force, also when it has failed since. */
  #last: Embedder | null = null;
  #lookedAt = 0;
  #looking: Promise<Embedder> | null = null;

  constructor(settings: EmbedderSettings) {
    this.#settings = settings;
    this.#sources = [localSource(settings.endpoint, settings.embedModel, settings.vectors)];
    this.#absences = new Absences(settings.vectors);
  }

  current(signal: AbortSignal): Promise<Embedder> {
    const { now } = this.#settings;
    if (this.#inForce !== null && now() - this.#lookedAt < probeIntervalMs)
      return Promise.resolve(this.#inForce);
    this.#looking ??= this.#look();
    return this.#inForce === null ? unlessAborted(this.#looking, signal) : Promise.resolve(this.#inForce);
  }

  kept(): readonly string[] {
    const names = this.#sources.map(({ name }) => name);
    const rank = names.indexOf(this.#last?.name ?? '');
    const stronger = rank < 0 ? names : names.slice(0, rank);
    return stronger.filter((name) => this.#absences.isHopedFor(name));
  }

  failed(embedder: Embedder): void {
    if (embedder === this.#inForce) this.#inForce = null;
    this.#sources.find(({ name }) => name === embedder.name)?.forget();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#sources.map((source) => source.close()));
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
    for (const source of this.#sources) {
      const found = await source.look(this.#closing.signal);
      // Whoever closes may have closed the database too.
      if (this.#closing.signal.aborted) break;
      try {
        if (found === null) this.#missed(source.name);
        else if (this.#takesOver(found)) return found;
      } catch (error) {
        // A database that cannot be read or written now: what was in force stays, if it can.
        this.#settings.report('the embedders could not be weighed', { error: messageOf(error) });
        if (found !== null && found.name === this.#last?.name) return found;
      }
    }
    return this.#fallback;
  }

  #missed(name: string): void {
    this.#looksInRow.delete(name);
    this.#absences.missed(name, this.#settings.now());
  }

  /** Whether a source that can embed is to be in force rather than a weaker one that is. */
  #takesOver(found: Embedder): boolean {
    const { vectors } = this.#settings;
    const looks = (this.#looksInRow.get(found.name) ?? 0) + 1;
    this.#looksInRow.set(found.name, looks);
    if (looks === 1) this.#absences.found(found.name);
    if (looks >= embedderLooksMin || found.name === this.#last?.name) return true;
    return vectors.holds(found.name) || !vectors.holds(null);
  }
}
