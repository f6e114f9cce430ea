import { isObject, type Json } from '../event/index.ts';
import { claudeCode } from './claude-code.ts';
import type { Adapted, Client, Context, Told } from './client.ts';
import { codex } from './codex.ts';
import { copilotCli } from './copilot-cli.ts';
import { cursor } from './cursor.ts';
import { geminiCli } from './gemini-cli.ts';
import { generic, labelOf } from './generic.ts';
import { lean } from './lean.ts';
import { observe } from './observe.ts';
import { opencode } from './opencode.ts';
import { otherEvent } from './other-events.ts';
import { qwenCode } from './qwen-code.ts';
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
  const payload = lean(told);
  if (!isObject(payload)) return observe('unknown', unknownCall(payload), context);
  const asked = clients.filter((client) => client.name === context.client);
  const guessed = clients.filter((client) => client.recognises(payload));
  for (const client of [...asked, ...guessed]) {
    const call = client.tell(payload);
    if (call !== null) return answer(client, call, payload, context);
  }
  const reason = otherEvent(payload);
  if (reason !== null) return { kind: 'ignored', reason };
  return observe('unknown', unknownCall(payload), context);
}

function answer(client: Client, told: NonNullable<Told>, payload: Json, context: Context): Adapted {
  if ('ignored' in told) return { kind: 'ignored', reason: told.ignored };
  const name = client === generic ? labelOf(payload, context.client) : client.name;
  return observe(name, told.call, context);
}
