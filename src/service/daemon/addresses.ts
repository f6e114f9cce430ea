import { Failure, lstatIfThere, readIfThere, removeIfThere } from '../../core/platform/index.ts';
import { ping } from '../../core/rpc/index.ts';
import type { Workspace } from '../../core/workspace/index.ts';

/**
 * Frees the socket path for a daemon that holds the workspace's lock. A socket without a listener is left from a killed daemon and is
 * removed; anything else stays.
 * @returns what was removed, in words for the user, or null
 * @throws Failure `socket_in_use`
 */
export async function clearSocketPath(workspace: Workspace): Promise<string | null> {
  const { socket } = workspace;
  const stat = lstatIfThere(socket);
  if (stat === null) return null;
  const formerPid = readIfThere(workspace.pid)?.trim() || 'unknown';
  const inUse = `socket path in use ${socket} (pid ${formerPid})`;
  if (!stat.isSocket())
    throw new Failure('socket_in_use', `socket path in use ${socket}: the file is not a socket`, {
      safe: 'it was not changed',
      repair: 'move it away, then run `memd start`',
    });
  if ((await ping(socket)) !== 'absent')
    throw new Failure('socket_in_use', `${inUse}: another process listens there that is not this daemon`, {
      safe: 'it was not changed',
      repair: 'end that process, then run `memd start`',
    });
  removeIfThere(socket);
  return `the last daemon (pid ${formerPid}) was killed; what it acknowledged is stored (socket path in use: stale, removed)`;
}
