import fs from 'node:fs';
import { captureSettings } from '../config/index.ts';
import { isObject, type Json, type JsonObject } from '../event/index.ts';
import { spoolReserveMs, stdinPatienceMs } from '../limits.ts';
import { Failure, jsonErrorOf, messageOf } from '../platform/index.ts';
import { request } from '../rpc/index.ts';
import { findRecordedWorkspace } from '../workspace/index.ts';
import { readStdin, type Stdin } from './stdin.ts';

/**
 * The `post-tool-use` hook: hands one observation from stdin to the daemon. Whatever happens, the tool call goes
 * on: exit 0 within the budget, nothing on stdout but `{"ok":true}`, the reason for anything else on stderr.
 * An observation that no daemon takes in time is kept in the spool.
 */
async function main(): Promise<string | null> {
  const receivedAt = new Date().toISOString();
  const stdin = readStdin();
  const workspace = findRecordedWorkspace(process.env, process.cwd());
  const { budgetMs } = captureSettings(workspace?.config ?? '');
  // `performance.now()` counts from the start of this process: the budget is the user's wait, not ours.
  const leftMs = (): number => Math.max(1, budgetMs - performance.now());
  setTimeout(() => leave(`not captured: timeout: not done within ${budgetMs} ms`), leftMs());
  const observation = readObservation(stdin, Math.min(leftMs() / 2, stdinPatienceMs));
  if (workspace === null)
    return await keep(await observation, receivedAt, 'no daemon has run for this project yet');
  // The way to the daemon is opened while the input is still coming in.
  const message = observation.then((payload) => ({
    op: 'capture',
    payload,
    receivedAt,
    cwd: process.cwd(),
    ...clientArgument(),
  }));
  let reply: JsonObject;
  try {
    reply = await request(workspace.socket, message, { timeoutMs: Math.max(1, leftMs() - spoolReserveMs) });
  } catch (error) {
    return await keep(await observation, receivedAt, messageOf(error));
  }
  if (reply.ok !== true) return await keep(await observation, receivedAt, refusalOf(reply));
  if (reply.ignored === undefined) fs.writeSync(1, '{"ok":true}\n');
  return null;
}

/** Redactor and spool are loaded only here: on the usual way they would cost more than all the rest. */
async function keep(payload: JsonObject, receivedAt: string, reason: string): Promise<string | null> {
  const { spoolObservation } = await import('./spool-observation.ts');
  const outcome = spoolObservation({ payload, receivedAt, ...clientArgument() });
  return outcome === null ? null : `${outcome} (${reason})`;
}

/** Some clients keep our stdin open: after `patienceMs` what is there must do. */
async function readObservation(stdin: Stdin, patienceMs: number): Promise<JsonObject> {
  let timer: NodeJS.Timeout | undefined;
  const impatient = new Promise<string>((resolve) => {
    timer = setTimeout(() => {
      if (isWhole(stdin.soFar())) resolve(stdin.soFar());
    }, patienceMs);
  });
  const text = await Promise.race([stdin.whole, impatient]);
  clearTimeout(timer);
  return parse(text);
}

function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // There is more to come, or it will never be JSON; the end of the input or of the budget tells.
    return false;
  }
}

function parse(text: string): JsonObject {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Failure('bad_input', `the input is not JSON: ${jsonErrorOf(error)}`);
  }
  if (isObject(value)) return value;
  throw new Failure('bad_input', 'the input is not a JSON object');
}

function clientArgument(): { client?: string } {
  const at = process.argv.indexOf('--client');
  const name = at === -1 ? undefined : process.argv[at + 1];
  return name === undefined ? {} : { client: name };
}

function refusalOf(reply: JsonObject): string {
  const { error } = reply;
  return isObject(error) && typeof error.message === 'string' ? error.message : 'the daemon refused it';
}

function leave(said: string | null): void {
  if (said !== null) fs.writeSync(2, `memd: this tool call was ${said}\n`);
  process.exit(0);
}

main().then(leave, (error: unknown) => leave(`not captured: ${messageOf(error)}`));
