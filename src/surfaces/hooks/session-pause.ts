import { eventName, whereIn } from '#assistants/form';
import { type JsonObject, stringAt } from '#core/event';
import { rescued } from '#core/platform';
import { findRecordedWorkspace } from '#core/workspace';
import { openExchange } from './exchange.ts';
import { ownFolder, readPayload } from './input.ts';
import { exitSilently } from './output.ts';

// The hook at a session's end or compaction; at the end all hooks of a plugin share 1.5 s.
const sessionPauseBudgetMs = 1_000;

/**
 * The `session-pause` hook, at a compaction and at the end of a session: has the daemon write the session's digest and summarise waiting
 * events, so that the next session gets all of it. Sends one request and ends: it starts no daemon, waits for no reply, has no output and
 * exits 0. If it fails, the daemon's next tick does the same.
 */
function main(): void {
  setTimeout(() => exitSilently(null), sessionPauseBudgetMs);
  process.on('uncaughtException', () => exitSilently(null));
  const silently = (): never => exitSilently(null);
  const workspace = findRecordedWorkspace(process.env, ownFolder() ?? '/');
  if (workspace === null) exitSilently(null);
  const send = openExchange(workspace.socket, silently, silently);
  readPayload((payload) => {
    if (isPause(payload)) send(`${JSON.stringify(restFor(payload))}\n`, silently);
    else silently();
  }, silently);
}

/** By each client's name for the event; Copilot CLI's payloads have a reason or trigger instead. */
function isPause(payload: JsonObject): boolean {
  const event = eventName(payload);
  if (event !== undefined) return compactions.has(event) || ends.has(event);
  if (stringAt(payload, 'sessionId') === undefined || 'toolName' in payload) return false;
  return stringAt(payload, 'reason') !== undefined || stringAt(payload, 'trigger') !== undefined;
}

/** The session will ask for its own handoff. */
function isCompaction(payload: JsonObject): boolean {
  const event = eventName(payload);
  return event === undefined ? stringAt(payload, 'trigger') !== undefined : compactions.has(event);
}

const compactions = new Set(['PreCompact', 'PreCompress', 'preCompact']);
const ends = new Set(['SessionEnd', 'sessionEnd']);

function restFor(payload: JsonObject): JsonObject {
  const transcript = stringAt(payload, 'transcript_path');
  const rest = { op: 'rest', session: whereIn(payload).sessionId ?? '', compacts: isCompaction(payload) };
  return transcript === undefined ? rest : { ...rest, transcript };
}

// No input, or no folder.
rescued(main, () => exitSilently(null));
