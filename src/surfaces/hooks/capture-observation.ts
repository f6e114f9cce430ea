import fs from 'node:fs';
import { captureSettings } from '../../core/config/index.ts';
import { isObject, type JsonObject, objectAt } from '../../core/event/index.ts';
import { hookSettingsDelayMs, spoolGraceMs, spoolReserveMs, stdinPatienceMs } from '../../core/limits.ts';
import { inSentences, messageOf } from '../../core/platform/index.ts';
import { findRecordedWorkspace } from '../../core/workspace/index.ts';
import { openExchange } from './exchange.ts';
import { argument, ownFolder, payloadIn } from './input.ts';
import { isWhole, readStdin } from './stdin.ts';

/**
 * The capture hook, after a tool call, a prompt or a reply: sends one observation from stdin to the daemon. The client always goes on: exit 0 within the budget,
 * stdout empty or `{"ok":true}` (empty after a message: a client adds the output of a prompt's hook to what the model reads), the reason
 * for any failure on stderr. An observation that the daemon does not acknowledge in time goes
 * to the spool.
 *
 * Uses callbacks, and the order that costs least: the connection opens while the input still arrives, and the settings, which only limit
 * the wait, are read when there is something to wait for.
 */
function main(): void {
  const receivedAt = new Date().toISOString();
  const folder = workFolder();
  /** The input, and the reason why the daemon does not have it, as soon as each is known. */
  let payload: JsonObject | null = null;
  let reason: string | null = null;
  const refuse = (why: string): void => {
    reason ??= why;
    if (payload !== null) keep(payload, receivedAt, reason);
  };
  const take = (text: string): void => {
    if (payload !== null) return;
    payload = guarded(() => payloadIn(text));
    isMessage = saysSomething(payload);
    if (reason !== null) keep(payload, receivedAt, reason);
    else exchange?.send({ op: 'capture', payload, receivedAt, cwd: folder, ...clientArgument() });
  };
  const stdin = readStdin(take, notCaptured);
  const workspace = findRecordedWorkspace(process.env, folder);
  const exchange = workspace === null ? null : openExchange(workspace.socket, replied, refuse);
  if (workspace === null) refuse('no daemon has run for this project yet');

  function replied(reply: JsonObject): void {
    if (reply.ok !== true) refuse(refusalOf(reply));
    else {
      if (reply.ignored === undefined && !isMessage) put(1, '{"ok":true}\n');
      exit(null);
    }
  }

  // Most hooks end before this runs, and never read the settings.
  setTimeout(() => {
    const { budgetMs } = captureSettings(workspace?.config ?? '');
    // Counted from the start of this process: the budget limits the user's wait. (`performance` costs 0.5 ms to load.) On a starved
    // machine the start may use all of it: half of it is left, which is enough to spool the call.
    const leftMs = Math.max(budgetMs / 2, budgetMs - process.uptime() * 1_000);
    const over = (): never => exit(`not captured: timeout: not done within ${budgetMs} ms`);
    // Spooling waits for no other process: it is late only on a starved machine, and ending it would lose the call.
    setTimeout(() => void (isKept ? setTimeout(over, spoolGraceMs) : over()), leftMs);
    const waitMs = Math.max(1, leftMs - spoolReserveMs);
    setTimeout(() => refuse('timeout'), waitMs);
    // A daemon that has not answered by now rarely does: what spooling needs is loaded in the rest of the wait.
    setTimeout(() => void loadSpool().catch(notCaptured), waitMs / 2);
    // Some clients keep stdin open: after a while a whole payload is enough.
    const patienceMs = Math.min(leftMs / 2, stdinPatienceMs);
    setTimeout(() => {
      if (payload === null && isWhole(stdin.soFar())) take(stdin.soFar());
    }, patienceMs);
  }, hookSettingsDelayMs);
}

let isKept = false;

/** Whether the payload is what somebody said, and its hook may be one whose output the model reads. */
let isMessage = false;

function saysSomething(payload: JsonObject): boolean {
  if (toolKeys.some((key) => key in payload)) return false;
  const isNamed = payload.kind === 'message' || payload.hook_event_name === 'afterAgentResponse';
  return isNamed || messageKeys.some((key) => key in payload) || isChatMessage(payload);
}

const toolKeys = ['tool', 'tool_name', 'toolName'];
const messageKeys = ['prompt', 'prompt_response', 'last_assistant_message', 'compact_summary'];

/** OpenCode's `chat.message`. */
function isChatMessage(payload: JsonObject): boolean {
  return objectAt(objectAt(payload, 'output') ?? {}, 'message') !== undefined;
}

/** Redactor and spool cost more than the rest of the hook. */
const loadSpool = () => import('./spool-observation.ts');

function keep(payload: JsonObject, receivedAt: string, reason: string): void {
  if (isKept) return;
  isKept = true;
  loadSpool()
    .then(({ spoolObservation }) =>
      spoolObservation({ payload, receivedAt, cwd: workFolder(), ...clientArgument() }),
    )
    .then((outcome) => {
      // A folder that is not private is the reason of both failures.
      const hasReason = outcome === null || outcome.endsWith(reason);
      exit(hasReason ? outcome : inSentences(outcome, `cause: ${reason}`));
    }, notCaptured);
}

/** The shell's folder may be removed; then the client's project folder counts. */
function workFolder(): string {
  return ownFolder() ?? (process.env.CLAUDE_PROJECT_DIR || process.cwd());
}

function clientArgument(): { client?: string } {
  const name = argument('client');
  return name === undefined ? {} : { client: name };
}

function refusalOf(reply: JsonObject): string {
  const { error } = reply;
  return isObject(error) && typeof error.message === 'string' ? error.message : 'the daemon refused it';
}

/** If `work` throws, the hook ends with the reason. */
function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return notCaptured(error);
  }
}

function notCaptured(error: unknown): never {
  return exit(`not captured: ${messageOf(error)}`);
}

function exit(outcome: string | null): never {
  if (outcome !== null) put(2, `memd: this ${isMessage ? 'message' : 'tool call'} was ${outcome}\n`);
  process.exit(0);
}

function put(fd: number, text: string): void {
  try {
    fs.writeSync(fd, text);
  } catch {
    // A closed pipe or a full disk: the tool call goes on.
  }
}

guarded(main);
