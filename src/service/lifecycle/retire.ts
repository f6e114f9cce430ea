import { type JsonObject, objectAt, own, stringAt } from '#core/event';
import { stopTimeoutMs } from '#core/limits';
import { Failure } from '#core/platform';
import { converse } from '#core/rpc';
import type { Workspace } from '#core/workspace';
import { isOlder } from '../../core/version.ts';
import { endBySignal, hasGone } from './stop.ts';

// How long a start waits for the running daemon's version.
const versionWaitMs = 5_000;

/** The daemon that answers. */
export interface Running {
  readonly version: string;
  readonly pid: number;
}

/**
 * What the daemon that answered does: it `stays` (`running` is null if it does not give its version), was older and is `retired`, its
 * process ended, or is `going` by itself.
 */
export type Met =
  | { readonly outcome: 'stays'; readonly running: Running | null }
  | { readonly outcome: 'retired'; readonly running: Running }
  | { readonly outcome: 'going' };

/**
 * Asks the running daemon for its version and, if that is strictly older than `version`, to stop in order. Both go over one
 * connection, so that no caller stops the daemon that another one has just started.
 * @throws Failure when it does not end and is not provably the workspace's daemon
 */
export async function retireOlder(workspace: Workspace, version: string): Promise<Met> {
  const asked: { running: Running | null; toStop: boolean } = { running: null, toStop: false };
  const next = (reply: JsonObject): JsonObject | 'end' | 'wait' => {
    if (own(reply, 'ok') === undefined) return 'wait';
    if (asked.toStop) return 'end';
    asked.running = runningIn(reply);
    asked.toStop = asked.running !== null && isOlder(asked.running.version, version) === true;
    return asked.toStop ? { op: 'shutdown' } : 'end';
  };
  try {
    const reply = await converse(workspace.socket, { op: 'info' }, next, { timeoutMs: versionWaitMs });
    if (!asked.toStop && isEnding(reply)) return { outcome: 'going' };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // One that is too busy to give its version stays; one that was asked to stop may end without an answer.
    if (!asked.toStop)
      return error.code === 'timeout' ? { outcome: 'stays', running: null } : { outcome: 'going' };
  }
  const { running, toStop } = asked;
  if (running === null || !toStop) return { outcome: 'stays', running };
  if (!(await hasGone(running.pid, stopTimeoutMs))) await endBySignal(workspace, running.pid);
  return { outcome: 'retired', running };
}

/** An ending daemon closes its engine before its socket. */
function isEnding(reply: JsonObject): boolean {
  const code = stringAt(objectAt(reply, 'error') ?? {}, 'code');
  return code === 'unavailable' || code === 'internal';
}

function runningIn(reply: JsonObject): Running | null {
  const info = objectAt(reply, 'info') ?? {};
  const pid = own(objectAt(info, 'daemon') ?? {}, 'pid');
  const version = stringAt(info, 'version');
  return version !== undefined && typeof pid === 'number' && pid > 0 ? { version, pid } : null;
}
