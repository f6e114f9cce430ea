import type { ClientName, Json, JsonObject, Observation } from '../../core/event/index.ts';

/** What the hook knows beside the payload. */
export interface Context {
  /** The assistant's name, when the hook was installed with one (`--client`). */
  readonly client?: string | undefined;
  /** ISO 8601: the time of a call whose payload tells none. */
  readonly receivedAt: string;
  /** The hook's own working directory, used when the payload names none. */
  readonly cwd: string | null;
}

/**
 * `ignored` is a hook event that tells of no finished tool call, or a call of the memory's own tools; `event` is the
 * hook event's name, or `own-tool`.
 */
export type Adapted =
  | { readonly kind: 'observation'; readonly observation: Observation }
  | {
      readonly kind: 'ignored';
      readonly reason: string;
      readonly sessionId?: string;
      readonly event?: string;
    };

/** One finished call in an assistant's own words; `observe` brings it into form and within limits. */
export interface Call {
  readonly tool: string;
  readonly input: Json | undefined;
  readonly output: Json;
  readonly sessionId: string | null;
  readonly toolUseId: string | null;
  /** An ISO string or milliseconds since 1970; anything else counts as absent. */
  readonly ts: Json | undefined;
  readonly isError: boolean;
  readonly cwd: string | null;
}

/** The user's own words to the assistant, whole and not redacted. */
export interface Prompt {
  readonly sessionId: string | null;
  readonly text: string;
  /** As in `Call`. */
  readonly ts: Json | undefined;
}

/** What an adapter makes of a payload; null when the payload has not this client's shape. */
export type Told = { readonly call: Call } | { readonly ignored: string } | null;

/** One assistant. `recognises` is asked when nobody named the client; `tell` must be tolerant. */
export interface Client {
  readonly name: ClientName;
  recognises(payload: JsonObject): boolean;
  tell(payload: JsonObject): Told;
}

/** One assistant's transcript. A reader is opened for each file and sees its records in order. */
export interface TranscriptFormat {
  readonly client: ClientName;
  recognises(record: JsonObject): boolean;
  open(): TranscriptReader;
}

export interface TranscriptReader {
  /** The calls that `record` finishes. `bytes` is the record's size in the file. */
  take(record: JsonObject, bytes: number): readonly Call[];
  /** What the user typed, as far as `record` tells it; asked after `take`. */
  prompts(record: JsonObject): readonly Prompt[];
  /** Calls begun and not finished so far. */
  unanswered(): number;
}
