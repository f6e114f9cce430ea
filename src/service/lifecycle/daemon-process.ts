import { commandLine, isHeld } from '#core/platform';
import type { Workspace } from '#core/workspace';

/** Whether a daemon holds this workspace. */
export function isLocked(workspace: Workspace): boolean {
  return isHeld(workspace.lock);
}

/** What identifies a workspace's daemon. */
type Owner = Pick<Workspace, 'root' | 'namespace'>;

/** The arguments of the daemon's script, by which `isDaemonOf` finds it. */
export function daemonArguments({ root, namespace }: Owner): string[] {
  return ['--root', root, '--namespace', namespace];
}

/** Whether the process is the daemon of that workspace: its command line names the script and ends with the workspace. */
export function isDaemonOf(pid: number, owner: Owner): boolean {
  // The whole end: another root may begin with this root's name.
  const command = commandLine(pid) ?? '';
  return command.includes('daemon.cjs --root ') && command.endsWith(` ${daemonArguments(owner).join(' ')}`);
}
