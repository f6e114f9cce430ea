import {
  boundedId,
  isObject,
  type JsonObject,
  own,
  stringAt,
  type ToolEvent,
} from '../../core/event/index.ts';
import { Failure } from '../../core/platform/index.ts';
import { type Adapted, adapt } from '../clients/index.ts';
import { redactText } from '../redact/index.ts';
import { prepare } from './prepare.ts';

/** What a `capture` request comes to. */
export type ReadCapture =
  | { readonly kind: 'event'; readonly event: ToolEvent; readonly redactions: number }
  | {
      readonly kind: 'ignored';
      readonly reason: string;
      /** Without secrets; empty when the hook event names none. */
      readonly sessionId: string;
      /** The hook event's name, empty when the payload tells none. */
      readonly hookEvent: string;
    };

/**
 * Adapts, redacts, cuts and identifies: `{tool, input, output, ...}`, or `{payload, client?, receivedAt?}` with a
 * client's own payload as the hook got it. Pure. @throws Failure `bad_request`
 */
export function readCapture(request: JsonObject): ReadCapture {
  const adapted: Adapted = adapt(payloadOf(request), {
    ...(stringAt(request, 'client') === undefined ? {} : { client: stringAt(request, 'client') ?? '' }),
    receivedAt: timeOf(request) ?? new Date().toISOString(),
    cwd: stringAt(request, 'cwd') ?? null,
  });
  if (adapted.kind === 'observation') return { kind: 'event', ...prepare(adapted.observation) };
  return {
    kind: 'ignored',
    reason: adapted.reason,
    sessionId: boundedId(redactText(adapted.sessionId ?? '').text),
    hookEvent: adapted.event ?? '',
  };
}

/** @throws Failure when the request has neither form */
function payloadOf(request: JsonObject): JsonObject {
  const payload = own(request, 'payload');
  if (payload !== undefined && own(request, 'tool') === undefined) {
    if (isObject(payload)) return payload;
    throw new Failure('bad_request', 'capture: payload must be an object');
  }
  if (stringAt(request, 'tool')) return request;
  throw new Failure('bad_request', 'capture: tool must be a text that is not empty');
}

/** The hook's time, if it is one: it may become the event's own. */
function timeOf(request: JsonObject): string | undefined {
  const time = stringAt(request, 'receivedAt');
  return time === undefined || time.length > 40 || Number.isNaN(Date.parse(time)) ? undefined : time;
}
