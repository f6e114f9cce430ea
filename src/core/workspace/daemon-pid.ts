import { readIfThere } from '#core/platform';
import type { Workspace } from './paths.ts';

/** The pid in `run.pid`, or null. The process may have ended, or be another program. */
export function daemonPid({ pid }: Pick<Workspace, 'pid'>): number | null {
  const number = Number(readIfThere(pid)?.trim());
  return Number.isInteger(number) && number > 0 ? number : null;
}
