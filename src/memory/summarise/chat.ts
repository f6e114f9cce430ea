import type { JsonObject } from '../../core/event/index.ts';
import type { Usage } from './backend.ts';
import type { Outage } from './outage.ts';

/** What stands in one model call. */
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
  /** `max` bounds the answer, `likely` is what a budget reckons with. */
  readonly answerTokens: { readonly max: number; readonly likely: number };
}

/**
 * What came of a question. `said`: the model answered, in whatever form; `endedEarly` says why that cannot be all of it, or
 * null. `rejected`: the question itself was not taken. `outage`: nothing is known of the question.
 */
export type Heard =
  | {
      readonly kind: 'said';
      readonly content: string;
      readonly endedEarly: string | null;
      readonly usage: Usage;
    }
  | { readonly kind: 'rejected'; readonly error: string; readonly usage: Usage }
  | Outage;

/** A model that can be asked. Never rejects for what a network or a model does. */
export interface Chat {
  readonly name: 'local' | 'hosted';
  readonly model: string;
  ask(question: ChatQuestion, signal: AbortSignal): Promise<Heard>;
}
