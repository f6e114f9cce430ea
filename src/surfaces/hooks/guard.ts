import { isObject, type Json, type JsonObject, stringAt } from '#core/event';
import { boundaryBudgetMs, pingTimeoutMs } from '#core/limits';
import { messageOf, rescued } from '#core/platform';
import { findRecordedWorkspace } from '#core/workspace';
import { denial, formOf, plannedCall, warning } from '#guard/writes';
import { bringBack } from './bring-back.ts';
import { openExchange } from './exchange.ts';
import { argument, ownFolder, readPayload } from './input.ts';
import { exitDenying, exitPrinting, exitSilently } from './output.ts';

/**
 * The optional `pre-tool-use` hook that pings the daemon. No output when it answers within 1500 ms; else a warning, or with
 * `--mode block` a denial in the client's own form. A call that the hook cannot read is never blocked. Neither is one that finds an idle
 * daemon stopped: the hook starts it again, and captures wait in the spool.
 */
function main(): void {
  process.on('uncaughtException', failed);
  let payload: JsonObject | null = null;
  let silence: string | null = null;
  const finish = (): void => {
    if (payload !== null && silence !== null) answer(payload, silence);
  };
  const silent = (reason: string): void => {
    silence ??= reason;
    finish();
  };
  setTimeout(() => {
    silence ??= `no answer within ${pingTimeoutMs} ms`;
    if (payload === null) exitSilently(`${silence}, and no tool call arrived`);
    finish();
  }, pingTimeoutMs);
  setTimeout(() => exitSilently('the guard was too slow'), pingTimeoutMs + boundaryBudgetMs);
  readPayload(
    (received) => {
      payload = received;
      finish();
    },
    (reason) => exitSilently(`the guard cannot read the call: ${reason}`),
  );
  const workspace = findRecordedWorkspace(process.env, ownFolder() ?? '/');
  if (workspace === null) {
    silent('no daemon has run for this project yet');
    return;
  }
  const away = (reason: string): void =>
    void bringBack(workspace).then((isBack) => (isBack ? exitSilently(null) : silent(reason)));
  const send = openExchange(
    workspace.socket,
    (reply) => (reply.ok === true ? exitSilently(null) : away('the daemon refuses a ping')),
    away,
  );
  send('{"op":"ping"}\n');
}

function failed(error: unknown): never {
  return exitSilently(`the guard failed: ${messageOf(error)}`);
}

function answer(payload: JsonObject, silence: string): never {
  const client = argument('client');
  const call = plannedCall(payload, client);
  const form = formOf(client) ?? call?.form;
  // Another event than a planned call, or an unknown client.
  if (call === null || form === undefined) return exitSilently(`the daemon does not answer (${silence})`);
  const reason = `memd: the daemon does not answer (${silence}). This call would not be stored. Run \`memd start\`.`;
  const isBlocked = argument('mode') === 'block' && !isRepair(call.input);
  return isBlocked ? exitDenying(denial(form, reason)) : exitPrinting(warning(form, reason));
}

/** The commands that repair the daemon must pass. */
function isRepair(input: Json): boolean {
  const command = isObject(input) ? stringAt(input, 'command') : undefined;
  return /^ *(?:npx +)?memd +(?:start|restart|up|stop|doctor|info|logs)(?: +[\w./=-]+)* *$/.test(
    command ?? '',
  );
}

rescued(main, failed);
