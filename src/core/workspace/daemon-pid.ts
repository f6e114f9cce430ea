import { readIfThere } from '../platform/index.ts';
import type { Workspace } from './paths.ts';

/** The pid in `run.pid`, or null; whether that process lives and is the daemon is another question. */
export function daemonPid({ pid }: Pick<Workspace, 'pid'>): number | null {
  const told = Number(readIfThere(pid)?.trim());
  return Number.isInteger(told) && told > 0 ? told : null;
}
