import { Failure, lstatIfThere, readIfThere, removeIfThere } from '../../core/platform/index.ts';
import { ping } from '../../core/rpc/index.ts';
import type { Workspace } from '../../core/workspace/index.ts';

/**
 * Makes the socket path free for a daemon that holds the workspace's lock. A socket that nobody listens on is
 * what a killed daemon left, and is removed; anything else is somebody's and stays.
 * @returns what was removed, in words for the user, or null
 * @throws Failure `socket_in_use`
 */
export async function clearSocketPath(workspace: Workspace): Promise<string | null> {
  const { socket } = workspace;
  const stat = lstatIfThere(socket);
  if (stat === null) return null;
  const formerPid = readIfThere(workspace.pid)?.trim() || 'unknown';
  const place = `socket path in use ${socket} (pid ${formerPid})`;
  if (!stat.isSocket()) {
    throw new Failure('socket_in_use', `socket path in use ${socket}: what is there is not a socket`, {
      safe: 'it was left as it is',
      repair: 'move it away, then run: memd start',
    });
  }
  if ((await ping(socket)) !== 'absent') {
    throw new Failure('socket_in_use', `${place}: another process listens there that is not this daemon`, {
      safe: 'it was left as it is',
      repair: 'end that process, then run: memd start',
    });
  }
  removeIfThere(socket);
  return `${place}: stale, removed`;
}
