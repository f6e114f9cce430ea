import { isObject, type Json, type JsonObject, stringAt } from '../../core/event/index.ts';
import { boundaryBudgetMs, pingTimeoutMs } from '../../core/limits.ts';
import { messageOf } from '../../core/platform/index.ts';
import { findRecordedWorkspace } from '../../core/workspace/index.ts';
import { denial, formOf, plannedCall, warning } from '../../guard/writes/index.ts';
import { bringBack } from './bring-back.ts';
import { openExchange } from './exchange.ts';
import { argument, ownFolder, readPayload } from './input.ts';
import { exitDenying, exitPrinting, exitSilently } from './output.ts';

/**
 * The optional `pre-tool-use` hook that asks the daemon whether it is there: silence when it answers a ping within 1500 ms;
 * else a warning, or with `--mode block` a denial in the client's own form. What the hook cannot understand is never blocked, and
 * neither is a call that finds the daemon away because it was idle: it is brought back, and what is captured meanwhile waits for it.
 */
function main(): void {
  process.on('uncaughtException', (error) => exitSilently(`the guard gave up: ${messageOf(error)}`));
  let payload: JsonObject | null = null;
  let silence: string | null = null;
  const finish = (): void => {
    if (payload !== null && silence !== null) tell(payload, silence);
  };
  const silent = (reason: string): void => {
    silence ??= reason;
    finish();
  };
  setTimeout(() => {
    silence ??= `no answer within ${pingTimeoutMs} ms`;
    if (payload === null) exitSilently(`${silence}, and no tool call was told`);
    finish();
  }, pingTimeoutMs);
  setTimeout(() => exitSilently('the guard was too slow'), pingTimeoutMs + boundaryBudgetMs);
  readPayload(
    (told) => {
      payload = told;
      finish();
    },
    (reason) => exitSilently(`the guard cannot tell what is asked: ${reason}`),
  );
  const workspace = findRecordedWorkspace(process.env, ownFolder() ?? '/');
  if (workspace === null) {
    silent('no daemon has run for this project yet');
    return;
  }
  const away = (reason: string): void =>
    void bringBack(workspace).then((isBack) => (isBack ? exitSilently(null) : silent(reason)));
  const exchange = openExchange(
    workspace.socket,
    (reply) => (reply.ok === true ? exitSilently(null) : away('the daemon refuses a ping')),
    away,
  );
  exchange.send({ op: 'ping' });
}

function tell(payload: JsonObject, silence: string): never {
  const client = argument('client');
  const call = plannedCall(payload, client);
  const form = formOf(client) ?? call?.form;
  // An event that is no call before it is made, or a client nobody knows.
  if (call === null || form === undefined) return exitSilently(`the daemon does not answer (${silence})`);
  const reason = `memd: the daemon does not answer (${silence}); this call would not be remembered. Run: memd start`;
  const isBlocked = argument('mode') === 'block' && !isRepair(call.input);
  return isBlocked ? exitDenying(denial(form, reason)) : exitPrinting(warning(form, reason));
}

/** The very command that brings the daemon back must pass. */
function isRepair(input: Json): boolean {
  const command = isObject(input) ? stringAt(input, 'command') : undefined;
  return /^ *(?:npx +)?memd +(?:start|restart|up|stop|doctor|info|logs)(?: +[\w./=-]+)* *$/.test(
    command ?? '',
  );
}

try {
  main();
} catch (error) {
  exitSilently(`the guard gave up: ${messageOf(error)}`);
}
