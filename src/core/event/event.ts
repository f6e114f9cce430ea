import type { Json, JsonObject } from './json.ts';

/** The name of an assistant in the table of `assistants`; `generic`: the plain `{tool, input, output}`; or `unknown`. */
export type ClientName = string;

/** Who wrote a message. */
export type Role = 'user' | 'assistant';

/** What a memory is of: a tool call, a message, or a whole session (its digest). */
export const memoryKinds = ['call', 'message', 'session'] as const;
export type MemoryKind = (typeof memoryKinds)[number];

/** What makes an observation a message instead of a call. */
export type MessageFields = {
  readonly role: Role;
  /** The client's id of the turn: a user message and all that follows until the next one. */
  readonly turnId: string | null;
  /** The subagent that wrote it. */
  readonly agentId: string | null;
};

/** Where a session comes from: the one that started it as its helper (empty: unknown), or that it goes on from with its history. */
export type SessionParent = { readonly session: string; readonly kind: 'agent' | 'fork' };

/** The fields of a message with each of its ids changed. */
export function withIds(
  { role, turnId, agentId }: MessageFields,
  change: (id: string) => string,
): MessageFields {
  return {
    role,
    turnId: turnId === null ? null : change(turnId),
    agentId: agentId === null ? null : change(agentId),
  };
}

/**
 * One tool call or message in a common shape, not yet redacted, cut or given an identity. `output` is the client's own: a
 * string, or an object such as `{stdout, stderr}`; the error text of a failed call is its output. A message has `message`, the
 * tool `Prompt` (user), `Reply` (assistant) or `Note`, an empty input, its text as output, and the client's message id as `toolUseId`.
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
  readonly message?: MessageFields;
  readonly parent?: SessionParent;
  /** From the assistant's history of prompts: the transcript of its session was removed. */
  readonly rescued?: true;
  /** Its result was not recorded (yet). */
  readonly unfinished?: true;
  /** It never ran: it was refused, by the user or by the client for them. Then it is not an error. */
  readonly refused?: true;
  /**
   * The run of the hook that reported it, where the client gives neither an id nor a time: what that run sends by another way is the same
   * event. Not stored.
   */
  readonly attempt?: string;
}

/** `tool` of a message by its role. */
export const messageTools = { user: 'Prompt', assistant: 'Reply' } as const satisfies Record<Role, string>;

/** `tool` of a note: a message that its speaker asked memd to remember. */
export const noteTool = 'Note';

/** How the words of an API error begin that ended a turn: a reply with `isError`. */
export const apiErrorLead = 'API error: ';

/** Whether a message of that role can have this tool. */
export function isMessageTool(tool: unknown, role: Role): boolean {
  return tool === messageTools[role] || tool === noteTool;
}

/** An observation without secrets, within limits, with the identity that makes a repeat the same event. */
export interface ToolEvent extends Omit<Observation, 'attempt'> {
  /** `ev_` and 24 hex characters; see `identify`. */
  readonly id: string;
}

/**
 * The tool of an observation that only reports the end of work in the background. It is not stored: it completes the call that
 * started the work.
 */
export const endNoticeTool = 'TaskNotification';

/** How the work ended that a call only started. */
export type Ended = {
  /** The event that reported it; null: a notification, which is not an event. */
  readonly by: string | null;
  /** Null: it was stopped, or nobody said how it ended. */
  readonly failed: boolean | null;
  readonly exitCode: number | null;
  readonly output: string;
};

/** What `events.payload_json` holds: the event without the table's other columns. */
export interface Payload extends JsonObject, Omit<Observation, 'client' | 'attempt'> {
  readonly client: string;
  /** Added to a call when the end of what it started is known; input and output stay as recorded. */
  readonly ended?: Ended;
}
