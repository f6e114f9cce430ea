import { captureSettings } from '../../core/config/index.ts';
import { isObject, type JsonObject, stringAt, withoutMiddle } from '../../core/event/index.ts';
import { hookSettingsDelayMs, recallBytesMax } from '../../core/limits.ts';
import { findRecordedWorkspace, type Workspace } from '../../core/workspace/index.ts';
import { openExchange, type Send } from './exchange.ts';
import { argument, ownFolder, readPayload } from './input.ts';
import { exitSilently, put } from './output.ts';

/**
 * The optional hook after a failed command: adds what fixed the same failure earlier. It never decides. After any error it exits with 0
 * and prints nothing.
 */
function main(): void {
  process.on('uncaughtException', () => exitSilently(null));
  // Most hooks end before this runs, and never read the settings.
  setTimeout(limitTime, hookSettingsDelayMs);
  readPayload(ask, () => exitSilently(null));
}

/** The capture budget holds for all hooks that delay a call; it counts from the start of this process. */
function limitTime(): void {
  const { budgetMs } = captureSettings(workspace()?.config ?? '');
  setTimeout(() => exitSilently(null), Math.max(1, budgetMs - process.uptime() * 1_000));
}

function workspace(): Workspace | null {
  return findRecordedWorkspace(process.env, ownFolder() ?? '/');
}

const endCharsMax = 16_000;

function ask(payload: JsonObject): void {
  const found = workspace();
  if (found === null) exitSilently(null);
  const send = openExchange(
    found.socket,
    (reply) => answer(payload, reply, send),
    () => exitSilently(null),
  );
  // Ends and beginnings of texts are compared.
  const shortened = (_: string, value: unknown): unknown =>
    typeof value === 'string' ? withoutMiddle(value, endCharsMax, endCharsMax) : value;
  const request = { op: 'recall', event: 'failure', client: argument('client'), payload };
  send(`${JSON.stringify(request, shortened)}\n`);
}

function answer(payload: JsonObject, reply: JsonObject, send: Send): void {
  const text = stringAt(reply, 'text') ?? '';
  // A memd daemon never sends more.
  if (reply.ok !== true || text === '' || Buffer.byteLength(text) > recallBytesMax) exitSilently(null);
  const context = { additionalContext: text };
  const hookEventName = stringAt(payload, 'hook_event_name') ?? '';
  const output = reply.form === 'flat' ? context : { hookSpecificOutput: { hookEventName, ...context } };
  if (!put(1, `${JSON.stringify(output)}\n`)) exitSilently(null);
  const { session = '', agent = '', memories } = reply;
  const ids = (Array.isArray(memories) ? memories : []).map((one) =>
    isObject(one) ? (one.id ?? null) : null,
  );
  const received = { op: 'received', kind: 'recall', session, agent, ids };
  send(`${JSON.stringify(received)}\n`, () => process.exit(0));
}

try {
  main();
} catch {
  // No input, or no folder.
  exitSilently(null);
}
