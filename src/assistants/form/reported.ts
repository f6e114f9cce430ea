import type { Json, JsonObject, Observation, Role, SessionParent } from '#core/event';

/** One finished call in its client's own terms; `observe` normalizes it. */
export interface ReportedCall extends Omit<Observation, 'input' | 'sessionId' | 'ts' | 'client' | 'message'> {
  readonly kind: 'call';
  readonly input: Json | undefined;
  readonly sessionId: string | null;
  /** An ISO string or milliseconds since 1970; anything else counts as absent. */
  readonly ts: Json | undefined;
}

/** What a user or an assistant said, in its client's own terms; `observeMessage` removes what nobody said. */
export interface ReportedMessage extends Pick<ReportedCall, 'sessionId' | 'ts'> {
  readonly kind: 'message';
  readonly role: Role;
  readonly text: string;
  /** Only where the client's hook and transcript give the message the same id. */
  readonly messageId?: string | null;
  readonly turnId?: string | null;
  /** The hook event that reported it. */
  readonly event?: string;
  /** The subagent that wrote it. */
  readonly agentId?: string | null;
  readonly cwd?: string | null;
  readonly parent?: SessionParent;
  readonly rescued?: true;
  /** The client's words for the API error that ended the turn; nobody said them. */
  readonly isError?: true;
  /** It was said to memd, to be remembered. `isPinned`: its memory is pinned from the start. */
  readonly note?: { readonly isPinned: boolean; readonly rule?: JsonObject };
}

/** A message of a transcript; `more` holds its ids, and what differs from its record. */
export function messageOf<More extends object>(isUser: boolean, text: string, more: More) {
  return { kind: 'message', role: isUser ? 'user' : 'assistant', text, ...more } as const;
}

export type Where = Pick<ReportedCall, 'sessionId' | 'ts' | 'cwd' | 'parent'>;
export type Reported = ReportedCall | ReportedMessage;

/** A hook event without a finished call or a message, or a call of memd's own tools. */
export interface Ignored {
  readonly kind: 'ignored';
  readonly reason: string;
  /** Empty when the payload names none. */
  readonly sessionId: string;
  /** The hook event's name, or `own-tool`; empty when unknown. */
  readonly event: string;
  /** Of `own-tool`: `mem_search`. */
  readonly tool?: string;
}

export const nowhere: Where = { sessionId: null, ts: undefined, cwd: null };
