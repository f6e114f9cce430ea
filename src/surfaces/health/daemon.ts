import { stringAt } from '#core/event';
import { alertRawMaxDefault, doctorReachMs } from '#core/limits';
import { polled } from '#core/platform';
import type { Health } from '#core/rpc';
import { daemonPid, isComingBack, type Workspace } from '#core/workspace';
import { conditions } from '#service/info';
import { isLocked } from '#service/lifecycle';
import { isOlder } from '../../core/version.ts';
import { type Check, type Context, noted, type Problem } from './check.ts';
import { pinged, reported } from './daemon-state.ts';
import { readStore } from './read-store.ts';

/** Whether the daemon answers and has this program's version. Every repair that stops and starts it repairs this too. */
export const daemon: Check = {
  code: 'daemon',
  severity: 'error',
  sentence: 'the daemon runs but does not answer',
  repair: 'run `memd restart`',
  run: checkDaemon,
  fix: { needsStop: true, done: 'it was stopped and started again', run: async () => {} },
  blocksStart: true,
};

async function checkDaemon({ workspace, version, info }: Context): Promise<Problem[]> {
  const health = await settled(workspace);
  if (health === 'refused') return [];
  if (health === 'ok') return checkVersion(await info(), version);
  if (isLocked(workspace)) return [{ detail: `pid ${daemonPid(workspace) ?? 'unknown'}` }];
  if (health !== 'absent') {
    const sentence = 'another program listens on the daemon socket';
    const repair = 'end that program, then run `memd start`';
    return [{ sentence, detail: workspace.socket, repair, isFixable: false }];
  }
  const detail = isComingBack(workspace)
    ? 'it exited after idleMinutes, or to repair its database; the next call or command starts it'
    : 'hooks write to the spool meanwhile';
  return [noted('the daemon is not running', detail, 'run `memd start`')];
}

/** A daemon that is starting or ending holds the lock and has no socket: wait for it. */
function settled(workspace: Workspace): Promise<Health | 'refused'> {
  const isSettled = (health: Health | 'refused'): boolean => health !== 'absent' || !isLocked(workspace);
  return polled(() => pinged(workspace.socket), isSettled, doctorReachMs);
}

function checkVersion(info: Awaited<ReturnType<Context['info']>>, version: string): Problem[] {
  if (info === null) return [{ sentence: 'the daemon answers a ping but not `info`', detail: 'no reply' }];
  const running = stringAt(info, 'version') ?? 'unknown';
  if (running === version) return [];
  const detail = `${running}, not ${version}`;
  if (isOlder(version, running) !== true) {
    const sentence = 'the running daemon has another version than this program';
    return [{ severity: 'warning', sentence, detail }];
  }
  // This program would replace it by an older one, which may not be able to read the database.
  const repair = 'update this program, or use the newer one; repairs that stop the daemon were not done';
  const sentence = 'the running daemon has a newer version than this program';
  return [{ sentence, detail, repair, isFixable: false }];
}

/** What only the running daemon knows; `memd info` and the page show the same text. */
export const capture: Check = { ...conditions.capture, run: reported('capture') };
export const bridge: Check = { ...conditions.bridge, run: reported('bridge') };
export const retention: Check = { ...conditions.retention, run: reported('retention') };
export const openFiles: Check = { ...conditions.openFiles, run: reported('open-files') };
export const backlog: Check = { ...conditions.backlog, run: checkBacklog };

/** Whether the backlog shrinks is known only to a daemon that has watched it; without one, its size is worth a note. */
async function checkBacklog(context: Context): Promise<Problem[]> {
  const problems = await reported('backlog')(context);
  const raw = readStore(context.workspace, ({ stats }) => stats.counts().raw) ?? 0;
  if (problems.length > 0 || raw <= alertRawMaxDefault) return problems;
  const repair = (await context.info()) === null ? 'run `memd start`' : 'check again in ten minutes';
  return [noted('many events wait for a summary', `${raw} events`, repair)];
}
