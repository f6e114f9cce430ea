import type { Json, JsonObject } from './json.ts';

/** The assistants whose payloads are understood; `generic` is the plain `{tool, input, output}`. */
export const clientNames = [
  'claude-code',
  'codex',
  'gemini-cli',
  'qwen-code',
  'copilot-cli',
  'opencode',
  'cursor',
  'generic',
  'unknown',
] as const;
export type ClientName = (typeof clientNames)[number];

/**
 * One tool call in a common shape, not yet redacted, cut or given an identity. `output` is the client's own: a
 * string, or an object such as `{stdout, stderr}`; the error text of a failed call is its output.
 */
export interface Observation {
  readonly tool: string;
  readonly input: Json;
  readonly output: Json;
  readonly sessionId: string;
  /** The client's own id of the call, or null when it gives none. */
  readonly toolUseId: string | null;
  /** ISO 8601, UTC, milliseconds. */
  readonly ts: string;
  readonly client: ClientName;
  readonly isError: boolean;
  readonly cwd: string | null;
}

/** An observation without secrets, within limits, with the identity that makes a repeat the same event. */
export interface ToolEvent extends Observation {
  /** `ev_` and 24 hex characters; see `identify`. */
  readonly id: string;
}

/** What `events.payload_json` holds: the event without the table's other columns. */
export interface Payload extends JsonObject, Omit<Observation, 'client'> {
  readonly client: string;
}
