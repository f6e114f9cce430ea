import fs from 'node:fs';
import { loadConfig } from '../config/index.ts';
import { isObject, type Json, type JsonObject } from '../event/index.ts';
import { Failure, jsonErrorOf, messageOf } from '../platform/index.ts';
import { request } from '../rpc/index.ts';
import { findWorkspace, type Workspace } from '../workspace/index.ts';
import { readStdin, type Stdin } from './stdin.ts';

const fallbackBudgetMs = 250;

/**
 * The `post-tool-use` hook: hands one observation from stdin to the daemon. Whatever happens, the tool call goes
 * on: exit 0 within the budget, nothing on stdout but `{"ok":true}`, the reason for anything else on stderr.
 */
async function main(): Promise<void> {
  const stdin = readStdin();
  const workspace = findWorkspace(process.env, process.cwd());
  const budgetMs = captureBudgetMs(workspace);
  // `performance.now()` counts from the start of this process: the budget is the user's wait, not ours.
  const leftMs = (): number => Math.max(1, budgetMs - performance.now());
  setTimeout(() => leave(`timeout: not done within ${budgetMs} ms`), leftMs());
  // The way to the daemon is opened while the input is still coming in.
  const message = readObservation(stdin, leftMs() / 2).then((payload) => ({
    op: 'capture',
    payload,
    receivedAt: new Date().toISOString(),
    cwd: process.cwd(),
    ...clientArgument(),
  }));
  const reply = await request(workspace.socket, message, { timeoutMs: leftMs() });
  if (reply.ok !== true) throw new Failure('refused', refusalOf(reply));
  if (reply.ignored === undefined) fs.writeSync(1, '{"ok":true}\n');
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

function captureBudgetMs(workspace: Workspace): number {
  if (!fs.existsSync(workspace.config)) return fallbackBudgetMs;
  try {
    return loadConfig(workspace.config, {}).config.captureObservationBudgetMs;
  } catch {
    // A bad config is the daemon's to report; the hook keeps to the default.
    return fallbackBudgetMs;
  }
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

function leave(reason: string | null): void {
  if (reason !== null) fs.writeSync(2, `memd: this tool call was not captured: ${reason}\n`);
  process.exit(0);
}

main().then(
  () => leave(null),
  (error: unknown) => leave(messageOf(error)),
);
