import { embedderTrialTimeoutMs, probeIntervalMs, probeTimeoutMs } from '../limits.ts';
import { deterministicEmbedder } from './deterministic.ts';
import type { Embedder } from './embedder.ts';
import { type LocalEmbedder, localEmbedder } from './local.ts';

export interface EmbedderSettings {
  /** `localllm.endpoint` */
  readonly endpoint: string;
  /** `localllm.embedModel` */
  readonly embedModel: string;
  /** Milliseconds from any fixed point; tells how old the last look at the runtime is. */
  readonly now: () => number;
}

/** The embedder in force: asked for each time, since a runtime may come and go. */
export interface EmbedderCascade {
  /**
   * The local runtime's when it can embed, else the deterministic one. The first call looks; later ones answer at once
   * what the last look found, and look again in the background when that is older than `probeIntervalMs`.
   * Rejects only when `signal` is aborted while waiting.
   */
  current(signal: AbortSignal): Promise<Embedder>;
  /** To be told when an embedder could not embed: the next `current` looks before it answers. */
  failed(embedder: Embedder): void;
  /** Ends a look that is under way. */
  close(): void;
}

/**
 * The cascade of spec.md 1.5. Whether the runtime can embed is found out by having it embed a word: one that
 * answers but has not the model is of no use, and the deterministic embedder takes its place.
 */
export function chooseEmbedder(settings: EmbedderSettings): EmbedderCascade {
  const local = localEmbedder(settings.endpoint, settings.embedModel);
  const fallback = deterministicEmbedder();
  const closing = new AbortController();
  let inForce: Embedder | null = null;
  let lookedAt = 0;
  let looking: Promise<Embedder> | null = null;
  const look = async (): Promise<Embedder> => {
    try {
      const found = (await canEmbed(local, closing.signal)) ? local : fallback;
      inForce = found;
      lookedAt = settings.now();
      return found;
    } finally {
      looking = null;
    }
  };
  return {
    current: (signal) => {
      if (inForce !== null && settings.now() - lookedAt < probeIntervalMs) return Promise.resolve(inForce);
      looking ??= look();
      return inForce === null ? unlessAborted(looking, signal) : Promise.resolve(inForce);
    },
    failed: (embedder) => {
      if (embedder === inForce) inForce = null;
    },
    close: () => closing.abort(),
  };
}

async function canEmbed(local: LocalEmbedder, closing: AbortSignal): Promise<boolean> {
  const within = (timeoutMs: number) => AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)]);
  try {
    if ((await local.unavailable(within(probeTimeoutMs))) !== null) return false;
    // The first question loads the model, which takes seconds.
    await local.embed(['probe'], within(embedderTrialTimeoutMs));
    return true;
  } catch {
    // Whatever the reason, the deterministic embedder takes over; the next look tries again.
    return false;
  }
}

/** `promise`, or a rejection as soon as `signal` is aborted; the look itself goes on for the next caller. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
