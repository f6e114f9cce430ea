import type { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { captureSettings } from '#core/config';
import { isObject, type JsonObject, objectAt } from '#core/event';
import { frameBytesMax, hookSettingsDelayMs, spoolReserveMs, stdinPatienceMs } from '#core/limits';
import { inSentences, messageOf, rescued } from '#core/platform';
import { configFile, findRecordedWorkspace, homeOf, namespaceOf } from '#core/workspace';
import { type CaptureContext, captureContext, captureFrame, captureWords } from './capture-frame.ts';
import { openExchange } from './exchange.ts';
import { isWhole, payloadIn, readStdin } from './input.ts';
import { put } from './output.ts';

/**
 * The capture hook, after a tool call, a prompt or a reply: sends one observation from stdin to the daemon. The client always goes on: exit 0 within the budget,
 * stdout empty or `{"ok":true}` (empty after a message: a client adds the output of a prompt's hook to what the model reads), the reason
 * for any failure on stderr. An observation that the daemon does not acknowledge in time goes to a process of its own, which spools it
 * and for which the client does not wait.
 *
 * Uses callbacks, and the order that costs least: the connection opens while the input still arrives, and the settings, which only limit
 * the wait, are read when there is something to wait for.
 */
function main(): void {
  const context = captureContext();
  /** The input, and the reason why the daemon does not have it, as soon as each is known. */
  let input: string | null = null;
  let reason: string | null = null;
  const refuse = (why: string): void => {
    reason ??= why;
    if (input !== null) keep(input, context, reason);
  };
  const take = (text: string): void => {
    if (input !== null) return;
    isMessage = saysSomething(guarded(() => payloadIn(text)));
    input = text;
    if (Buffer.byteLength(text) > frameBytesMax) reason ??= 'it is larger than a request may be';
    if (reason !== null) keep(text, context, reason);
    else send?.(captureFrame(text, context));
  };
  const stdin = readStdin(take, notCaptured);
  const workspace = findRecordedWorkspace(process.env, context.cwd);
  const send = workspace === null ? null : openExchange(workspace.socket, replied, refuse);
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
    const { budgetMs, spool } = captureSettings(configFile(homeOf(process.env), namespaceOf(process.env)));
    isSpooled = spool;
    // Counted from the start of this process: the budget limits the user's wait. (`performance` costs 0.5 ms to load.) On a starved
    // machine the start may use all of it: half of it is left, which is enough to hand the call over.
    const leftMs = Math.max(budgetMs / 2, budgetMs - process.uptime() * 1_000);
    setTimeout(over, leftMs, budgetMs);
    setTimeout(refuse, Math.max(1, leftMs - spoolReserveMs), 'timeout');
    // Some clients keep stdin open: after a while a whole payload is enough.
    setTimeout(
      () => {
        if (input === null && isWhole(stdin.soFar())) take(stdin.soFar());
      },
      Math.min(leftMs / 2, stdinPatienceMs),
    );
  }, hookSettingsDelayMs);
}

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

/** How far the observation has come that the daemon did not take. */
let kept: 'no' | 'moving' | 'moved' = 'no';
let isOver = false;
let isSpooled = true;
let cause = '';

/**
 * Gives the observation to a process in a session of its own: it goes on when the client ends or kills this group. A shell holds the text
 * first, since it starts at once where Node may take longer than the budget.
 */
function keep(text: string, context: CaptureContext, reason: string): void {
  if (kept !== 'no') return;
  kept = 'moving';
  cause = reason;
  import('node:child_process').then(({ default: { spawn } }) => handOver(spawn, text, context), notCaptured);
}

function handOver(start: typeof spawn, text: string, context: CaptureContext): void {
  const program = path.join(path.dirname(fs.realpathSync(process.argv[1] ?? '')), 'spool-observation.cjs');
  const words = [process.execPath, program, ...captureWords(context), '--tried'];
  const holder = start('/bin/sh', ['-c', holdingScript, 'sh', ...words], {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let said = '';
  holder.on('error', notCaptured);
  holder.stdin.on('error', () => {});
  holder.stdin.end(text, () => {
    kept = 'moved';
    if (isOver) leave();
  });
  holder.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  holder.stdout.on('end', () => {
    const outcome = said.trim();
    // A folder that is not private is the reason of both failures.
    if (outcome === '') exit(null);
    exit(outcome.endsWith(cause) ? outcome : inSentences(outcome, `cause: ${cause}`));
  });
}

const holdingScript = 'p=$(cat); printf %s "$p" | "$@"';

/** The budget is over: without input there is nothing to keep; else the process that keeps it needs this one no more, once it has all. */
function over(budgetMs: number): void {
  if (kept === 'no') exit(`not captured: timeout: not done within ${budgetMs} ms`);
  isOver = true;
  if (kept === 'moved') leave();
}

function leave(): never {
  if (!isSpooled) return exit('not captured (captureSpool is off)');
  return exit(inSentences('queued in the spool. A background process goes on with it', `cause: ${cause}`));
}

function refusalOf(reply: JsonObject): string {
  const { error } = reply;
  return isObject(error) && typeof error.message === 'string' ? error.message : 'the daemon refused it';
}

/** If `work` throws, the hook ends with the reason. */
function guarded<T>(work: () => T): T {
  return rescued(work, notCaptured);
}

function notCaptured(error: unknown): never {
  return exit(`not captured: ${messageOf(error)}`);
}

function exit(outcome: string | null): never {
  if (outcome !== null) put(2, `memd: this ${isMessage ? 'message' : 'tool call'} was ${outcome}\n`);
  process.exit(0);
}

guarded(main);
