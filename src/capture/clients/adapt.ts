import { isObject, type Json, type JsonObject, objectAt, stringAt } from '../../core/event/index.ts';
import { claudeCode } from './claude-code.ts';
import type { Adapted, Client, Context, Told } from './client.ts';
import { codex } from './codex.ts';
import { copilotCli } from './copilot-cli.ts';
import { cursor } from './cursor.ts';
import { geminiCli } from './gemini-cli.ts';
import { generic, labelOf } from './generic.ts';
import { observe } from './observe.ts';
import { opencode } from './opencode.ts';
import { eventName, otherEvent } from './other-events.ts';
import { qwenCode } from './qwen-code.ts';
import { stripBinary } from './strip-binary.ts';
import { unknownCall } from './unknown.ts';

/** In the order of asking: Claude Code's shape is what the others vary, so it comes after them. */
const clients: readonly Client[] = [
  opencode,
  cursor,
  geminiCli,
  qwenCode,
  codex,
  copilotCli,
  claudeCode,
  generic,
];

/**
 * What a hook's payload tells. The adapter is the one that `context.client` names, when the payload has that
 * client's shape, else the first that recognises the payload. A payload nobody recognises is kept whole
 * (client `unknown`), unless it is a hook event known to tell of no finished call. Never throws.
 */
export function adapt(told: Json, context: Context): Adapted {
  const payload = stripBinary(told);
  if (!isObject(payload)) return observe('unknown', unknownCall(payload), context);
  // Whoever the hook was installed for: other clients run Claude Code's hooks too, and this result's name is Copilot CLI's own.
  const named = 'tool_result' in payload ? copilotCli.name : context.client;
  const asked = clients.filter((client) => client.name === named);
  const guessed = clients.filter((client) => client.recognises(payload));
  for (const client of [...asked, ...guessed]) {
    const call = client.tell(payload);
    if (call !== null) return answer(client, call, payload, context);
  }
  const reason = otherEvent(payload);
  if (reason !== null) return ignored(reason, payload);
  return observe('unknown', unknownCall(payload), context);
}

function answer(client: Client, told: NonNullable<Told>, payload: JsonObject, context: Context): Adapted {
  if ('ignored' in told) return ignored(told.ignored, payload);
  const name = client === generic ? labelOf(payload, context.client) : client.name;
  const observed = observe(name, told.call, context);
  if (observed.kind === 'observation') return observed;
  return { ...observed, sessionId: told.call.sessionId ?? '', event: 'own-tool' };
}

/** Whose session it was, and which event: the one that the payload names, else the one it was recognised as. */
function ignored(reason: string, payload: JsonObject): Adapted {
  const event = eventName(payload) ?? /^(\S+) event$/.exec(reason)?.[1];
  const input = objectAt(payload, 'input');
  const sessionId =
    ['session_id', 'sessionId', 'conversation_id'].map((key) => stringAt(payload, key)).find(Boolean) ??
    (input === undefined ? undefined : stringAt(input, 'sessionID'));
  return {
    kind: 'ignored',
    reason,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(event === undefined ? {} : { event }),
  };
}
