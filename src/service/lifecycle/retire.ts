import { type JsonObject, objectAt, own, stringAt } from '../../core/event/index.ts';
import { stopTimeoutMs } from '../../core/limits.ts';
import { Failure } from '../../core/platform/index.ts';
import { request } from '../../core/rpc/index.ts';
import { isOlder } from '../../core/version.ts';
import type { Workspace } from '../../core/workspace/index.ts';
import { endBySignal, hasGone } from './stop.ts';

// How long a start waits for the running daemon's version, to replace an older one.
const versionWaitMs = 5_000;

/** Who answers. */
export interface Running {
  readonly version: string;
  readonly pid: number;
}

/**
 * What became of the daemon that answers: it `stays`, `running` null where it does not say what it is; it was older and is
 * `retired`, its process gone; or it went away by itself while it was asked.
 */
export type Met =
  | { readonly outcome: 'stays'; readonly running: Running | null }
  | { readonly outcome: 'retired'; readonly running: Running }
  | { readonly outcome: 'going' };

/**
 * Asks the running daemon for its version and, if that is strictly older than `version`, to stop: in order, with all it has
 * acknowledged on the disk. Both over one connection, so that of several callers none stops the daemon that another has just
 * started.
 * @throws Failure when it does not end and cannot be proved to be the workspace's daemon
 */
export async function retireOlder(workspace: Workspace, version: string): Promise<Met> {
  const told: { running: Running | null; isAsked: boolean } = { running: null, isAsked: false };
  const next = (reply: JsonObject): JsonObject | null => {
    if (told.isAsked) return null;
    told.running = runningIn(reply);
    told.isAsked = told.running !== null && isOlder(told.running.version, version) === true;
    return told.isAsked ? { op: 'shutdown' } : null;
  };
  try {
    const reply = await request(workspace.socket, { op: 'info' }, { timeoutMs: versionWaitMs, next });
    if (!told.isAsked && isEnding(reply)) return { outcome: 'going' };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // One that is too busy to tell its version is left alone; one that was asked goes without an answer.
    if (!told.isAsked)
      return error.code === 'timeout' ? { outcome: 'stays', running: null } : { outcome: 'going' };
  }
  const { running, isAsked } = told;
  if (running === null || !isAsked) return { outcome: 'stays', running };
  if (!(await hasGone(running.pid, stopTimeoutMs))) await endBySignal(workspace, running.pid);
  return { outcome: 'retired', running };
}

/** What is there to answer goes before the socket does. */
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
