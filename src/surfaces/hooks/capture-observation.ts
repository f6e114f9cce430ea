import fs from 'node:fs';
import { captureSettings } from '../../core/config/index.ts';
import { isObject, type JsonObject } from '../../core/event/index.ts';
import { hookSettingsDelayMs, spoolGraceMs, spoolReserveMs, stdinPatienceMs } from '../../core/limits.ts';
import { messageOf } from '../../core/platform/index.ts';
import { findRecordedWorkspace } from '../../core/workspace/index.ts';
import { openExchange } from './exchange.ts';
import { argument, ownFolder, payloadIn } from './input.ts';
import { isWhole, readStdin } from './stdin.ts';

/**
 * The `post-tool-use` hook: hands one observation from stdin to the daemon. Whatever happens, the tool call goes
 * on: exit 0 within the budget, nothing on stdout but `{"ok":true}`, the reason for anything else on stderr.
 * An observation that no daemon takes in time is kept in the spool.
 *
 * Written with callbacks, and in the order that costs least: the connection is opened while the input still comes in,
 * and what only bounds the waiting is read when there is something to wait for.
 */
function main(): void {
  const receivedAt = new Date().toISOString();
  const folder = workFolder();
  /** The input, once it is there; why the daemon does not have it, once that is known. */
  let payload: JsonObject | null = null;
  let reason: string | null = null;
  const refuse = (why: string): void => {
    reason ??= why;
    if (payload !== null) keep(payload, receivedAt, reason);
  };
  const take = (text: string): void => {
    if (payload !== null) return;
    payload = guarded(() => payloadIn(text));
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
      if (reply.ignored === undefined) put(1, '{"ok":true}\n');
      exit(null);
    }
  }

  // Most hooks are done before this is due, and need not read the settings at all.
  setTimeout(() => {
    const { budgetMs } = captureSettings(workspace?.config ?? '');
    // Counted from the start of this process: the budget is the user's wait, not ours. (`performance` costs 0.5 ms to load.) On a
    // machine that starves the start may use it all up: what is left then is enough to keep the call.
    const leftMs = Math.max(budgetMs / 2, budgetMs - process.uptime() * 1_000);
    const over = (): never => exit(`not captured: timeout: not done within ${budgetMs} ms`);
    // What is being spooled waits for nobody: it is late only on a machine that starves, and to cut it off would lose it.
    setTimeout(() => void (isKept ? setTimeout(over, spoolGraceMs) : over()), leftMs);
    setTimeout(() => refuse('timeout'), Math.max(1, leftMs - spoolReserveMs));
    // Some clients keep our stdin open: after a while what is there must do.
    const patienceMs = Math.min(leftMs / 2, stdinPatienceMs);
    setTimeout(() => {
      if (payload === null && isWhole(stdin.soFar())) take(stdin.soFar());
    }, patienceMs);
  }, hookSettingsDelayMs);
}

let isKept = false;

/** Redactor and spool are loaded only here: on the usual way they would cost more than all the rest. */
function keep(payload: JsonObject, receivedAt: string, reason: string): void {
  if (isKept) return;
  isKept = true;
  import('./spool-observation.ts')
    .then(({ spoolObservation }) =>
      spoolObservation({ payload, receivedAt, cwd: workFolder(), ...clientArgument() }),
    )
    .then((outcome) => {
      // A folder that is not private is the reason for both.
      const isSaid = outcome === null || outcome.endsWith(reason);
      exit(isSaid ? outcome : `${outcome} (${reason})`);
    }, notCaptured);
}

/** A shell may stand in a folder that has been removed; the project is told by the client as well. */
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

/** What `work` gives; when it throws, the hook ends with the reason. */
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

function exit(said: string | null): never {
  if (said !== null) put(2, `memd: this tool call was ${said}\n`);
  process.exit(0);
}

function put(fd: number, text: string): void {
  try {
    fs.writeSync(fd, text);
  } catch {
    // Nobody listens there, or a disk is full: the tool call goes on.
  }
}

guarded(main);
