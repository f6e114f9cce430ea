import { setTimeout as pause } from 'node:timers/promises';
import { objectAt, stringAt } from '../../core/event/index.ts';
import { doctorReachMs, pollIntervalMs, requestTimeoutMs } from '../../core/limits.ts';
import { Failure } from '../../core/platform/index.ts';
import { call, type Health } from '../../core/rpc/index.ts';
import { isOlder } from '../../core/version.ts';
import { daemonPid, isComingBack, type Workspace } from '../../core/workspace/index.ts';
import { isLocked } from '../../service/lifecycle/index.ts';
import type { Check, Found, Looked } from './check.ts';
import { pinged } from './running.ts';

/** Whether the daemon answers, and is of this program's version. Mended by what every repair does: stop and start. */
export const daemon: Check = {
  code: 'daemon',
  severity: 'error',
  sentence: 'the daemon lives but does not answer',
  repair: 'run: memd restart',
  look,
  fix: { needsStop: true, does: 'it was stopped and started', run: async () => {} },
  keepsStart: true,
};

async function look({ workspace, version }: Looked): Promise<Found[]> {
  const health = await settled(workspace);
  if (health === 'refused') return [];
  if (health === 'ok') return lookAtVersion(workspace.socket, version);
  if (isLocked(workspace)) return [{ detail: `pid ${daemonPid(workspace) ?? 'unknown'}` }];
  if (health === 'absent') {
    return [
      {
        severity: 'note',
        sentence: 'the daemon is not running',
        detail: isComingBack(workspace)
          ? 'it left by itself, idle (idleMinutes) or to mend its database; the next call or command brings it back'
          : 'hooks keep what they capture in the spool',
        repair: 'run: memd start',
        isFixable: false,
      },
    ];
  }
  return [
    {
      sentence: 'another process listens on the socket, or what listens does not speak as a daemon does',
      detail: workspace.socket,
      repair: 'end that process, then run: memd start',
      isFixable: false,
    },
  ];
}

/** What a ping finds; one that is just starting or about to end has the workspace and no socket, and is waited for. */
async function settled(workspace: Workspace): Promise<Health | 'refused'> {
  const deadline = performance.now() + doctorReachMs;
  for (;;) {
    const health = await pinged(workspace.socket);
    if (health !== 'absent' || !isLocked(workspace) || performance.now() >= deadline) return health;
    await pause(pollIntervalMs);
  }
}

async function lookAtVersion(socket: string, version: string): Promise<Found[]> {
  let running: string;
  try {
    const reply = await call(socket, { op: 'info' }, { timeoutMs: requestTimeoutMs });
    running = stringAt(objectAt(reply, 'info') ?? {}, 'version') ?? 'unknown';
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [{ sentence: 'the daemon answers a ping and does not tell its state', detail: error.message }];
  }
  if (running === version) return [];
  if (isOlder(version, running) === true) return [newer(running, version)];
  return [
    {
      severity: 'warning',
      sentence: 'the running daemon is of another version than this program',
      detail: `${running}, not ${version}`,
    },
  ];
}

/** A restart by this program would end it for an older one, which may not read what it has written. */
function newer(running: string, version: string): Found {
  return {
    sentence: 'the running daemon is of a newer version than this program',
    detail: `${running}, not ${version}`,
    repair:
      'update this program (or use the one that started it); nothing that stops the daemon is mended before',
    isFixable: false,
  };
}
