import fs from 'node:fs';
import { loadConfig } from '../config/index.ts';
import { isObject, type Json, type JsonObject } from '../event/index.ts';
import { frameBytesMax } from '../limits.ts';
import { Failure, jsonErrorOf, messageOf } from '../platform/index.ts';
import { request } from '../rpc/index.ts';
import { findWorkspace, type Workspace } from '../workspace/index.ts';

const fallbackBudgetMs = 250;

/**
 * The `post-tool-use` hook: hands one observation from stdin to the daemon. Whatever happens, the tool call goes
 * on: exit 0 within the budget, nothing on stdout but `{"ok":true}`, the reason for anything else on stderr.
 */
async function main(): Promise<void> {
  const payload = parse(await readAll());
  const workspace = findWorkspace(process.env, process.cwd());
  const message: JsonObject = {
    op: 'capture',
    payload,
    receivedAt: new Date().toISOString(),
    cwd: process.cwd(),
    ...clientArgument(),
  };
  // `performance.now()` counts from the start of this process: the budget is the user's wait, not ours.
  const timeoutMs = Math.max(1, budgetMs(workspace) - performance.now());
  const reply = await request(workspace.socket, message, { timeoutMs });
  if (reply.ok !== true) throw new Failure('refused', refusalOf(reply));
  if (reply.ignored === undefined) fs.writeSync(1, '{"ok":true}\n');
}

async function readAll(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > frameBytesMax)
      throw new Failure('too_large', `the input has more than ${frameBytesMax} bytes`);
  }
  return Buffer.concat(chunks).toString('utf8');
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

function budgetMs(workspace: Workspace): number {
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

// A client may keep our stdin open for ever: the budget ends the wait for input too.
const patience = setTimeout(() => leave(`no input within ${fallbackBudgetMs} ms`), fallbackBudgetMs);

function leave(reason: string | null): void {
  if (reason !== null) fs.writeSync(2, `memd: this tool call was not captured: ${reason}\n`);
  process.exit(0);
}

main().then(
  () => leave(null),
  (error: unknown) => leave(messageOf(error)),
);
process.stdin.once('end', () => clearTimeout(patience));
