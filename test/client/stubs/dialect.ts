import type { JsonObject } from '#core/event';

/** A tool call that the scripted model makes. */
export interface ModelCall {
  readonly name: string;
  /** Its arguments; a text for a tool that takes free text instead of an object. */
  readonly input: JsonObject | string;
  /** Codex groups an MCP server's tools under a namespace. */
  readonly namespace?: string;
}

/** What the model says next: a call, or, when its script is over, a text. */
export type ModelTurn = { readonly call: ModelCall; readonly callId: string } | { readonly text: string };

export interface WireReply {
  readonly type: 'text/event-stream' | 'application/json';
  readonly body: string;
}

/** One model API: how a client asks, and how an answer looks. */
export interface Dialect {
  /** Whether a POST to this path asks the model for an answer. */
  readonly asksModel: (path: string) => boolean;
  /** Whether the request is a turn of the conversation: one that offers tools (others ask for a title, say). */
  readonly offersTools: (request: JsonObject) => boolean;
  /** What came of the calls so far, in order, as the model gets to read it. */
  readonly results: (request: JsonObject) => readonly string[];
  readonly answer: (turn: ModelTurn, path: string, request: JsonObject) => WireReply;
}

/** Server-sent events, each a line of JSON under its name, or without one. */
export function eventStream(
  events: readonly { readonly event?: string; readonly data: JsonObject | '[DONE]' }[],
): WireReply {
  const body = events
    .map(({ event, data }) => {
      const text = typeof data === 'string' ? data : JSON.stringify(data);
      return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
    })
    .join('');
  return { type: 'text/event-stream', body };
}
