import { type Payload, parseJson, type ToolEvent } from '#core/event';

/** The content of `payload_json` for an event. */
export function payloadOf(event: ToolEvent): Payload {
  const { tool, input, output, sessionId, toolUseId, ts, client, isError, cwd, message } = event;
  const { parent, unfinished, refused, rescued } = event;
  const call = { tool, input, output, sessionId, toolUseId, ts, client, isError, cwd };
  return {
    ...call,
    ...(message && { message }),
    ...(parent && { parent }),
    ...(unfinished && { unfinished }),
    ...(refused && { refused }),
    ...(rescued && { rescued }),
  };
}

/** A stored payload for display; one that is not JSON (edited by SQL) stays a text. */
export function shownPayload(payloadJson: string): unknown {
  return parseJson(payloadJson) ?? payloadJson;
}

/** The whole text of a message, from its payload as shown; null if the payload is not one of a message. */
export function messageText(payload: unknown): string | null {
  const isMessage = typeof payload === 'object' && payload !== null && 'message' in payload;
  return isMessage && 'output' in payload && typeof payload.output === 'string' ? payload.output : null;
}
