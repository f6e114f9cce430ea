import { isObject, type Json } from '../../core/event/index.ts';
import { claudeCode } from './claude-code.ts';
import type { Adapted, Client, Context } from './client.ts';
import { codex } from './codex.ts';
import { copilotCli } from './copilot-cli.ts';
import { cursor } from './cursor.ts';
import { geminiCli } from './gemini-cli.ts';
import { generic, labelOf } from './generic.ts';
import { observe, observeMessage } from './observe.ts';
import { opencode } from './opencode.ts';
import { otherEvent } from './other-events.ts';
import { qwenCode } from './qwen-code.ts';
import { stripBinary } from './strip-binary.ts';
import { unknownCall } from './unknown.ts';

/** In the order of asking: the others vary Claude Code's shape, so it comes after them. */
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
 * A hook's payload as an observation. The adapter is the one that `context.client` names, when the payload has
 * that client's shape, else the first that recognises the payload. An unknown payload is kept whole (client
 * `unknown`), unless it is a hook event known to hold no finished call. Never throws.
 */
export function adapt(received: Json, context: Context): Adapted {
  const payload = stripBinary(received);
  if (!isObject(payload)) return observe('unknown', unknownCall(payload), context);
  // Other clients run Claude Code's hooks too; `tool_result` is Copilot CLI's own name.
  const named = 'tool_result' in payload ? copilotCli.name : context.client;
  const asked = clients.filter((client) => client.name === named);
  const guessed = clients.filter((client) => client.recognises(payload));
  for (const client of [...asked, ...guessed]) {
    const read = client.read(payload);
    if (read?.kind === 'ignored') return read;
    if (read === null) continue;
    const name = client === generic ? labelOf(payload, context.client) : client.name;
    return read.kind === 'call' ? observe(name, read, context) : observeMessage(name, read, context);
  }
  return otherEvent(payload) ?? observe('unknown', unknownCall(payload), context);
}
