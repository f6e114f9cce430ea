import {
  eventName,
  type Ignored,
  ignored,
  isOtherEventName,
  stripBinary,
} from '../../assistants/form/index.ts';
import { assistants, clientNames } from '../../assistants/table/index.ts';
import { isObject, type Json, type JsonObject, stringAt } from '../../core/event/index.ts';
import { typedIn } from './noise.ts';
import { type Adapted, type Context, observed } from './observe.ts';
import { unknownCall } from './unknown.ts';

/** In the order of asking. */
const asking = assistants.toReversed();

/**
 * A hook's payload as an observation. The adapter is the one that `context.client` names, when the payload has
 * that client's shape, else the first that recognises the payload. An unknown payload is kept whole (client
 * `unknown`), unless it is a hook event known to hold no finished call. Never throws.
 */
export function adapt(received: Json, context: Context): Adapted {
  const payload = stripBinary(received);
  if (!isObject(payload)) return observed('unknown', unknownCall(payload), context);
  // Other clients run Claude Code's hooks too; `tool_result` is Copilot CLI's own name.
  const named = 'tool_result' in payload ? 'copilot-cli' : context.client;
  const asked = asking.filter((one) => one.name === named);
  const guessed = asking.filter((one) => one.payload?.recognises(payload));
  for (const { name: own, payload: part } of [...asked, ...guessed]) {
    const read = part?.read(payload, typedIn) ?? null;
    if (read?.kind === 'ignored') return read;
    if (read === null) continue;
    // A plain payload may name its client itself.
    const labels = own === 'generic' ? [stringAt(payload, 'client'), context.client] : [];
    const name = labels.find((label) => label !== undefined && clientNames.includes(label)) ?? own;
    return observed(name, read, context);
  }
  return otherEvent(payload) ?? observed('unknown', unknownCall(payload), context);
}

/** `payload` as an ignored one when it is known to hold no finished call, else null. */
export function otherEvent(payload: JsonObject): Ignored | null {
  const reason = reasonToIgnore(payload);
  return reason === null ? null : ignored(reason, payload);
}

function reasonToIgnore(payload: JsonObject): string | null {
  const event = eventName(payload);
  if (event === 'PostToolBatch') return 'PostToolBatch: each call has its own event';
  if (event !== undefined) return isOtherEventName(event) ? `${event} event` : null;
  return asking.map(({ payload: part }) => part?.ignores?.(payload) ?? null).find(Boolean) ?? null;
}
