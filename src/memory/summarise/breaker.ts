import { probeIntervalMs, retryAfterMsMax } from '#core/limits';
import type { Chat, Outage } from './chat.ts';

const breakerBaseMs = 2_000;

/** Decides whether a call may be made now. */
export type Breaker = Readonly<ReturnType<typeof breaker>>;

export interface BreakerSettings {
  /** Milliseconds on a monotonic clock. */
  readonly now?: () => number;
  readonly baseMs?: number;
  /** The longest hold, except for a server's `retry-after`. */
  readonly longestMs?: number;
}

/**
 * A circuit breaker (Nygard, "Release It!"): an outage holds calls back for `baseMs`, each further outage twice as long, at
 * most `longestMs`; a server's `retry-after` is respected up to `retryAfterMsMax`. Then one call goes through and decides.
 */
export function breaker(settings: BreakerSettings = {}) {
  const { now = () => performance.now(), baseMs = breakerBaseMs, longestMs = probeIntervalMs } = settings;
  let last: Outage | null = null;
  let outages = 0;
  let openUntil = 0;
  return {
    /** The outage to report instead of calling, or null when a call may be made. */
    held: (): Outage | null => {
      const leftMs = Math.ceil(openUntil - now());
      if (last === null || leftMs <= 0) {
        // Other calls wait while this one finds out, but not forever if it never ends.
        if (last !== null) openUntil = now() + probeIntervalMs;
        return null;
      }
      return { ...last, retryAfterMs: leftMs };
    },
    /** The outage of the last call, or null. */
    last: (): Outage | null => last,
    /** To be called after every call: its outage, or null for any answer. */
    note: (outage: Outage | null): void => {
      last = outage;
      outages = outage === null ? 0 : outages + 1;
      if (outage === null) return;
      const backoffMs = outage.retryable ? baseMs * 2 ** Math.min(outages - 1, 16) : longestMs;
      const askedMs = Math.min(outage.retryAfterMs ?? 0, retryAfterMsMax);
      openUntil = now() + Math.max(askedMs, Math.min(backoffMs, longestMs));
    },
  };
}

/** `chat` with its calls behind a breaker; without a `gate`, `chat` itself. */
export function chatWithBreaker(chat: Chat, gate?: Breaker): Chat {
  if (gate === undefined) return chat;
  const { name, model } = chat;
  return {
    name,
    model,
    ask: async (question, signal) => {
      const held = gate.held();
      if (held !== null) return held;
      const reply = await chat.ask(question, signal);
      // A call that the caller stopped says nothing about the model.
      if (!signal.aborted) gate.note(reply.kind === 'outage' ? reply : null);
      return reply;
    },
  };
}
