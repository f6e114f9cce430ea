import { captureSettings } from '../../core/config/index.ts';
import { type JsonObject, stringAt } from '../../core/event/index.ts';
import { hookSettingsDelayMs, recallBytesMax } from '../../core/limits.ts';
import { findRecordedWorkspace, type Workspace } from '../../core/workspace/index.ts';
import { openExchange } from './exchange.ts';
import { ownFolder, readPayload } from './input.ts';
import { exitPrinting, exitSilently } from './output.ts';
import { type Question, questionIn } from './recall-question.ts';

/**
 * The optional hook after a failed command: it adds what fixed the same failure earlier. It never decides anything. Whatever goes wrong,
 * it exits with 0 and prints nothing.
 */
function main(): void {
  process.on('uncaughtException', () => exitSilently(null));
  // Most hooks are done before this is due, and need not read the settings at all.
  setTimeout(limitTime, hookSettingsDelayMs);
  readPayload(
    (payload) => {
      const question = questionIn(payload);
      if (question === null) exitSilently(null);
      else ask(question);
    },
    () => exitSilently(null),
  );
}

/** What a hook may take is one setting for all that wait with a call; counted from the start of this process. */
function limitTime(): void {
  const { budgetMs } = captureSettings(workspace()?.config ?? '');
  setTimeout(() => exitSilently(null), Math.max(1, budgetMs - process.uptime() * 1_000));
}

function workspace(): Workspace | null {
  return findRecordedWorkspace(process.env, ownFolder() ?? '/');
}

function ask(question: Question): void {
  const place = workspace();
  if (place === null) exitSilently(null);
  const exchange = openExchange(
    place.socket,
    (reply) => tell(question, reply),
    () => exitSilently(null),
  );
  exchange.send({ op: 'recall', ...question.request });
}

function tell({ form, eventName }: Question, reply: JsonObject): never {
  const text = stringAt(reply, 'text') ?? '';
  // No daemon of ours says so much.
  if (reply.ok !== true || text === '' || Buffer.byteLength(text) > recallBytesMax) return exitSilently(null);
  const context = { additionalContext: text };
  const answer = form === 'flat' ? context : { hookSpecificOutput: { hookEventName: eventName, ...context } };
  return exitPrinting({ stdout: `${JSON.stringify(answer)}\n`, stderr: '', code: 0 });
}

try {
  main();
} catch {
  // There is no input at all, or no folder: nothing can be told.
  exitSilently(null);
}
