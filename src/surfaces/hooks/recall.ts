import { captureSettings } from '#core/config';
import { type JsonObject, stringAt, withoutMiddle } from '#core/event';
import { hookSettingsDelayMs } from '#core/limits';
import { rescued } from '#core/platform';
import { findRecordedWorkspace, type Workspace } from '#core/workspace';
import { openExchange } from './exchange.ts';
import { argument, ownFolder, readPayload } from './input.ts';
import { exitSilently } from './output.ts';
import { exitTelling } from './telling.ts';

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
    (reply) =>
      exitTelling(reply, { event: stringAt(payload, 'hook_event_name') ?? '', kind: 'recall' }, send),
    () => exitSilently(null),
  );
  // Ends and beginnings of texts are compared.
  const shortened = (_: string, value: unknown): unknown =>
    typeof value === 'string' ? withoutMiddle(value, endCharsMax, endCharsMax) : value;
  const request = { op: 'recall', event: 'failure', client: argument('client'), payload };
  send(`${JSON.stringify(request, shortened)}\n`);
}

// No input, or no folder.
rescued(main, () => exitSilently(null));
