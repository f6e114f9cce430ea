import { probeIntervalMs, retryAfterMsMax } from '../../core/limits.ts';
import type { Backend } from './backend.ts';
import type { Chat } from './chat.ts';
import type { Outage } from './outage.ts';

const breakerBaseMs = 2_000;

/** When calls to a backend are held back; see `breaker`. */
export interface Breaker {
  /** The outage to report instead of calling, or null when a call may be made. */
  held(): Outage | null;
  /** After every call that was let through: what it ended in, or null for any answer. */
  note(outage: Outage | null): void;
  /** What the last call ended in: an outage, or null for any answer. */
  last(): Outage | null;
}

export interface BreakerSettings {
  /** Milliseconds on a monotonic clock. */
  readonly now?: () => number;
  readonly baseMs?: number;
  /** The longest that calls are held back, but for a server's `retry-after`. */
  readonly longestMs?: number;
}

/**
 * A circuit breaker (Nygard, "Release It!"): an outage holds calls back for `baseMs`, twice as long after each further one,
 * at the most `longestMs` (`probeIntervalMs`); a server's `retry-after` is kept up to `retryAfterMsMax`. Then one call goes through, and
 * its end decides.
 */
export function breaker(settings: BreakerSettings = {}): Breaker {
  const { now = () => performance.now(), baseMs = breakerBaseMs, longestMs = probeIntervalMs } = settings;
  let last: Outage | null = null;
  let outages = 0;
  let openUntil = 0;
  return {
    held: () => {
      const leftMs = Math.ceil(openUntil - now());
      if (last === null || leftMs <= 0) {
        // Others wait while this one finds out; it must not hold them for ever if it never ends.
        if (last !== null) openUntil = now() + probeIntervalMs;
        return null;
      }
      return { ...last, retryAfterMs: leftMs };
    },
    last: () => last,
    note: (outage) => {
      last = outage;
      outages = outage === null ? 0 : outages + 1;
      if (outage === null) return;
      const backoffMs = outage.retryable ? baseMs * 2 ** Math.min(outages - 1, 16) : longestMs;
      const askedMs = Math.min(outage.retryAfterMs ?? 0, retryAfterMsMax);
      openUntil = now() + Math.max(askedMs, Math.min(backoffMs, longestMs));
    },
  };
}

/** `backend` with its calls behind a breaker. Whether it is available is still asked of the backend itself. */
export function withBreaker<B extends Backend>(backend: B, gate: Breaker = breaker()): B {
  const summarise: Backend['summarise'] = (events, signal) =>
    through(gate, signal, () => backend.summarise(events, signal));
  return new Proxy(backend, {
    get: (target, key) => (key === 'summarise' ? summarise : Reflect.get(target, key)),
  });
}

/** `chat` with its calls behind a breaker. */
export function chatWithBreaker(chat: Chat, gate: Breaker = breaker()): Chat {
  const { name, model } = chat;
  return {
    name,
    model,
    ask: (question, signal) => through(gate, signal, () => chat.ask(question, signal)),
  };
}

async function through<T extends { readonly kind: string }>(
  gate: Breaker,
  signal: AbortSignal,
  call: () => Promise<T | Outage>,
): Promise<T | Outage> {
  const held = gate.held();
  if (held !== null) return held;
  const outcome = await call();
  // A call that the caller stopped says nothing of the backend.
  if (!signal.aborted) gate.note(isOutage(outcome) ? outcome : null);
  return outcome;
}

function isOutage(outcome: { readonly kind: string }): outcome is Outage {
  return outcome.kind === 'outage';
}
