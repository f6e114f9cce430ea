import { type JsonObject, stringAt } from '../../core/event/index.ts';
import { findRecordedWorkspace } from '../../core/workspace/index.ts';
import { openExchange } from './exchange.ts';
import { ownFolder, readPayload } from './input.ts';
import { exitSilently } from './output.ts';

// The hook at a session's end or compaction; at the end all hooks of a plugin share 1.5 s (CLIENTS.md, section 1).
const sessionPauseBudgetMs = 250;

/**
 * The `session-pause` hook, for the events after which a session is cut or over: tells the daemon, which writes the session's
 * digest and summarises what waits now, so that whoever begins next is told all of it. Sends one request and leaves at once;
 * starts nothing, waits for no reply, puts out nothing. Whatever happens it exits 0: the daemon's next tick does the same later.
 */
function main(): void {
  setTimeout(() => exitSilently(null), sessionPauseBudgetMs);
  process.on('uncaughtException', () => exitSilently(null));
  const silently = (): never => exitSilently(null);
  const workspace = findRecordedWorkspace(process.env, ownFolder() ?? '/');
  if (workspace === null) {
    silently();
    return;
  }
  const exchange = openExchange(workspace.socket, silently, silently);
  readPayload((payload) => {
    if (isPause(payload)) exchange.send({ op: 'rest', session: sessionOf(payload) }, silently);
    else silently();
  }, silently);
}

/** Under each client's name for them; Copilot CLI's payloads name no event, but why or how it came. */
function isPause(payload: JsonObject): boolean {
  const event = stringAt(payload, 'hook_event_name') ?? stringAt(payload, 'hookEventName');
  if (event !== undefined) return pauses.has(event);
  if (stringAt(payload, 'sessionId') === undefined || 'toolName' in payload) return false;
  return stringAt(payload, 'reason') !== undefined || stringAt(payload, 'trigger') !== undefined;
}

const pauses = new Set(['PreCompact', 'PreCompress', 'SessionEnd', 'preCompact', 'sessionEnd']);

function sessionOf(payload: JsonObject): string {
  const keys = ['session_id', 'sessionId', 'conversation_id'];
  return keys.map((key) => stringAt(payload, key)).find((id) => id !== undefined && id !== '') ?? '';
}

try {
  main();
} catch {
  // No folder, no input: there is nothing to tell and nobody to tell it to.
  exitSilently(null);
}
