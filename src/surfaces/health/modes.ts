import fs from 'node:fs';
import path from 'node:path';
import { lstatIfThere } from '../../core/platform/index.ts';
import type { Workspace } from '../../core/workspace/index.ts';
import type { Check, Found, Subject } from './check.ts';
import { namesIn } from './words.ts';

/** Folders 0700, files and the socket 0600, all of them this user's own, none of them a link. */
export const modes: Check = {
  code: 'modes',
  severity: 'error',
  sentence: 'what is private is not closed to others',
  repair: 'run: memd doctor --fix',
  look: async ({ workspace }) => targetsOf(workspace).flatMap(lookAt),
  fix: { needsStop: false, does: 'it is closed to others', run: async (subject) => close(subject) },
};

interface Target {
  readonly path: string;
  readonly stat: fs.Stats;
}

function lookAt({ path: target, stat }: Target): Found[] {
  if (isOnlyOpen(stat)) {
    const mode = (stat.mode & 0o777).toString(8).padStart(4, '0');
    return [{ detail: `${target} (mode ${mode})` }];
  }
  const strange = strangenessOf(stat);
  if (strange === null) return [];
  return [
    {
      sentence: 'what should be a file or folder of your own is something else',
      detail: `${target} ${strange}`,
      repair: 'put that right by hand first; nothing is mended before',
      isFixable: false,
    },
  ];
}

function strangenessOf(stat: fs.Stats): string | null {
  if (stat.isSymbolicLink()) return 'is a symbolic link';
  if (!isMine(stat)) return `belongs to another user (uid ${stat.uid})`;
  return stat.isDirectory() || stat.isFile() || stat.isSocket() ? null : 'is neither a file nor a folder';
}

/** By name, never by a descriptor: closing one would give up this process's locks on the file (fcntl(2)). */
function close({ workspace }: Subject): void {
  for (const { path: target, stat } of targetsOf(workspace)) {
    if (isOnlyOpen(stat)) fs.chmodSync(target, stat.isDirectory() ? 0o700 : 0o600);
  }
}

function isOnlyOpen(stat: fs.Stats): boolean {
  return (
    isMine(stat) && (stat.isDirectory() || stat.isFile() || stat.isSocket()) && (stat.mode & 0o077) !== 0
  );
}

function isMine(stat: fs.Stats): boolean {
  const uid = process.getuid?.();
  return uid === undefined || stat.uid === uid;
}

/** What is there of a workspace, folders before what lies in them. */
function targetsOf(workspace: Workspace): Target[] {
  const space = path.dirname(workspace.config);
  const logs = path.dirname(workspace.daemonLog);
  const ownLogs = namesIn(logs).filter((name) => name.startsWith(path.basename(workspace.daemonLog)));
  const all = [
    workspace.base,
    workspace.token,
    space,
    ...['config.json', 'health.ndjson', 'health.ndjson.1'].map((name) => path.join(space, name)),
    path.dirname(workspace.folder),
    workspace.folder,
    ...namesIn(workspace.folder).map((name) => path.join(workspace.folder, name)),
    logs,
    ...ownLogs.map((name) => path.join(logs, name)),
  ];
  return all.flatMap((target) => {
    const stat = lstatIfThere(target);
    return stat === null ? [] : [{ path: target, stat }];
  });
}
