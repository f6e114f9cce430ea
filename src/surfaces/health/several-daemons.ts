import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { doctorReachMs } from '../../core/limits.ts';
import { errorCode } from '../../core/platform/index.ts';
import { daemonPid, type Workspace } from '../../core/workspace/index.ts';
import { isAnyDaemon } from '../../service/lifecycle/index.ts';
import type { Check, Found } from './check.ts';

/**
 * Daemons beside the one that has the workspace: the lock lets only one in, so that others are left from a folder that was replaced,
 * or hang at their end. Told only where the system shows a process's working directory (Linux), which is their workspace's folder.
 */
export const severalDaemons: Check = {
  code: 'several-daemons',
  severity: 'warning',
  sentence: 'more than one daemon is at work for this project',
  repair: 'end the others',
  look: async ({ workspace }) => lookAtProcesses(workspace),
  fix: null,
};

async function lookAtProcesses(workspace: Workspace): Promise<Found[]> {
  if (process.platform !== 'linux') return [];
  const first = othersIn(workspace);
  if (first.length === 0) return [];
  // One that is just starting, or about to end, has the workspace or is gone when it is looked for again.
  await pause(doctorReachMs);
  const others = othersIn(workspace).filter((pid) => first.includes(pid));
  if (others.length === 0) return [];
  const own = daemonPid(workspace);
  const pids = daemonsIn(workspace);
  return [
    {
      detail: `pids ${pids.join(', ')}${own === null ? '' : `; ${own} has the workspace`}`,
      repair: `run: kill ${others.join(' ')}`,
    },
  ];
}

/** Beside the one that has the workspace. */
function othersIn(workspace: Workspace): number[] {
  const pids = daemonsIn(workspace);
  const own = daemonPid(workspace);
  return pids.length < 2 ? [] : pids.filter((pid) => pid !== own);
}

function daemonsIn({ folder }: Workspace): number[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && cwdOf(name) === folder)
    .map(Number)
    .filter(isAnyDaemon);
}

function cwdOf(pid: string): string | null {
  try {
    // A folder that was removed is shown with a word behind its name.
    return fs.readlinkSync(`/proc/${pid}/cwd`).replace(/ \(deleted\)$/, '');
  } catch (error) {
    // Another user's process, or one that has just ended.
    if (['ENOENT', 'EACCES', 'ESRCH', 'EPERM'].includes(errorCode(error) ?? '')) return null;
    throw error;
  }
}
