import type { Ignored } from '#assistants/form';
import { adapt, type TranscriptNotice, transcriptNotice } from '#capture/clients';
import { isObject, type JsonObject, own, stringAt, type ToolEvent } from '#core/event';
import { idCharsMax } from '#core/limits';
import { Failure } from '#core/platform';
import { isPrivate, prepare, storedId } from './prepare.ts';

export type ReadCapture = (
  | { readonly kind: 'event'; readonly event: ToolEvent; readonly redactions: number }
  | Ignored
) & { readonly transcript?: TranscriptNotice };

/**
 * Adapts, redacts, cuts and identifies: `{tool, input, output, ...}`, or `{payload, client?, receivedAt?}` with a
 * client's own payload as the hook got it. Pure. @throws Failure `bad_request`
 */
export function readCapture(request: JsonObject): ReadCapture {
  const payload = payloadOf(request);
  const client = stringAt(request, 'client');
  const notice = transcriptNotice(payload, client);
  const grown = notice === null ? {} : { transcript: notice };
  const adapted = adapt(payload, {
    client,
    receivedAt: timeOf(request) ?? new Date().toISOString(),
    cwd: stringAt(request, 'cwd') ?? null,
    attempt: stringAt(request, 'attempt')?.slice(0, idCharsMax),
  });
  if (adapted.kind !== 'observation') return { ...adapted, ...grown, sessionId: storedId(adapted.sessionId) };
  const prepared = prepare(adapted.observation);
  const { event } = prepared;
  if (!isPrivate(event)) return { kind: 'event', ...prepared, ...grown };
  // A private prompt shows that the session lives.
  const hook = event.message?.role === 'user' ? 'UserPromptSubmit' : '';
  return { kind: 'ignored', reason: 'a private message', sessionId: event.sessionId, event: hook, ...grown };
}

/** @throws Failure when the request has neither form */
function payloadOf(request: JsonObject): JsonObject {
  const payload = own(request, 'payload');
  if (payload !== undefined && own(request, 'tool') === undefined) {
    if (isObject(payload)) return payload;
    throw new Failure('bad_request', 'capture: payload must be an object');
  }
  const kind = own(request, 'kind') ?? 'call';
  if (kind === 'message') return checkedMessage(request);
  if (kind !== 'call') throw new Failure('bad_request', 'capture: kind must be "call" or "message"');
  if (stringAt(request, 'tool')) return request;
  throw new Failure('bad_request', 'capture: tool must be a text that is not empty');
}

/** @throws Failure `bad_request` */
function checkedMessage(request: JsonObject): JsonObject {
  const role = own(request, 'role');
  if (role !== 'user' && role !== 'assistant')
    throw new Failure('bad_request', 'capture: role of a message must be "user" or "assistant"');
  if (!stringAt(request, 'text'))
    throw new Failure('bad_request', 'capture: text must be a text that is not empty');
  return request;
}

/** The hook's time, if it is one: it may become the event's own. */
function timeOf(request: JsonObject): string | undefined {
  const time = stringAt(request, 'receivedAt');
  return time === undefined || time.length > 40 || Number.isNaN(Date.parse(time)) ? undefined : time;
}
