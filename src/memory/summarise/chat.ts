import type { JsonObject } from '#core/event';
import { isRetryable, type Reply } from '#core/model';

/** The text of one model call. */
export interface Prompt {
  readonly system: string;
  readonly user: string;
  /** An estimate of the tokens of both. */
  readonly tokens: number;
}

/** One question to a model, whatever it is about. */
export interface ChatQuestion {
  readonly prompt: Prompt;
  /** The JSON schema of the answer; only what every structured-output implementation knows. */
  readonly schema: JsonObject;
  /** `max` bounds the answer, a budget reserves `likely`. */
  readonly answerTokens: { readonly max: number; readonly likely: number };
}

export interface Usage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The backend could not answer. Says nothing about the question. */
export interface Outage {
  readonly kind: 'outage';
  readonly error: string;
  /** How long the server asks to wait (retry-after). */
  readonly retryAfterMs?: number;
  readonly timedOut?: true;
  /** False when a person has to act first (a refused key, a missing model). */
  readonly retryable: boolean;
}

/** The request or the answer to it is unusable. `refused`: the server did not accept the request (HTTP 4xx). */
export interface Rejection {
  readonly kind: 'rejected';
  readonly error: string;
  readonly usage: Usage;
  readonly refused?: true;
}

/** `answered`: in whatever form; `endedEarly` says why the answer cannot be complete, or null. */
export type ChatReply =
  | {
      readonly kind: 'answered';
      readonly content: string;
      readonly endedEarly: string | null;
      readonly usage: Usage;
    }
  | Rejection
  | Outage;

/** A language model. Never rejects for what a network or a model does. */
export interface Chat {
  readonly name: 'local' | 'hosted';
  readonly model: string;
  ask(question: ChatQuestion, signal: AbortSignal): Promise<ChatReply>;
}

/** The outage behind a reply. `error` describes a reply with a status; a reply that did not arrive has its own text. */
export function outageOf(reply: Reply, error: string): Outage {
  if (reply.kind === 'silent') {
    const timedOut = reply.reach === 'timeout' ? { timedOut: true as const } : {};
    return { kind: 'outage', error: reply.error, retryable: true, ...timedOut };
  }
  const retryAfter = reply.retryAfterMs === null ? {} : { retryAfterMs: reply.retryAfterMs };
  // A 200 without the API's shape comes from a proxy or another server: that may pass.
  const retryable = reply.status === 200 || isRetryable(reply.status);
  return { kind: 'outage', error, retryable, ...retryAfter };
}
