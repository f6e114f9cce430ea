import { commandLine } from '../../core/platform/index.ts';
import type { Workspace } from '../../core/workspace/index.ts';

/** What makes a process the daemon of this workspace and no other. */
type Whose = Pick<Workspace, 'root' | 'namespace'>;

/** What the daemon's script is started with; `isDaemonOf` knows it by that. */
export function daemonArguments({ root, namespace }: Whose): string[] {
  return ['--root', root, '--namespace', namespace];
}

/** Whether the process is provably the daemon of that workspace: its command line names the script and ends with the workspace. */
export function isDaemonOf(pid: number, whose: Whose): boolean {
  // To its end: another root may begin with this one's name.
  return isAnyDaemon(pid) && commandLine(pid)?.endsWith(` ${daemonArguments(whose).join(' ')}`) === true;
}

/** Whether the process is provably a daemon, whosever. */
export function isAnyDaemon(pid: number): boolean {
  return commandLine(pid)?.includes('daemon.cjs --root ') === true;
}
