import fs from 'node:fs';
import path from 'node:path';
import { isMine, lstatIfThere } from '#core/platform';
import type { Workspace } from '#core/workspace';
import type { Check, Problem } from './check.ts';
import { filesIn } from './words.ts';

/** Folders 0700, files and the socket 0600, all owned by this user, none of them a link. */
export const modes: Check = {
  code: 'modes',
  severity: 'error',
  sentence: 'other users have access to private files',
  repair: 'run `memd doctor --fix`',
  run: async ({ workspace }) => targetsOf(workspace).flatMap(check),
  fix: {
    needsStop: false,
    done: 'access was restricted to this user',
    // By name: closing a descriptor would release this process's locks on the file (fcntl(2)).
    run: async ({ workspace }) => {
      for (const { file, stat } of targetsOf(workspace))
        if (strangenessOf(stat) === null) fs.chmodSync(file, stat.isDirectory() ? 0o700 : 0o600);
    },
  },
};

type Target = ReturnType<typeof targetsOf>[number];

function check({ file, stat, mayBeFolder }: Target): Problem[] {
  if (stat.isDirectory() && !mayBeFolder) {
    const sentence = 'a folder stands where a file belongs';
    return [{ sentence, detail: file, repair: 'move it away, then run `memd restart`', isFixable: false }];
  }
  const strange = strangenessOf(stat);
  if (strange === null) {
    const mode = (stat.mode & 0o777).toString(8).padStart(4, '0');
    return (stat.mode & 0o077) === 0 ? [] : [{ detail: `${file} (mode ${mode})` }];
  }
  const sentence = 'a private file or folder has the wrong owner or kind';
  const repair = 'correct that first: memd repairs nothing before';
  return [{ sentence, detail: `${file} ${strange}`, repair, isFixable: false }];
}

function strangenessOf(stat: fs.Stats): string | null {
  if (stat.isSymbolicLink()) return 'is a symbolic link';
  if (!isMine(stat)) return `belongs to another user (uid ${stat.uid})`;
  return stat.isDirectory() || stat.isFile() || stat.isSocket() ? null : 'is neither a file nor a folder';
}

const ofFiles =
  /\/(?:root|[^/]*\.(?:dropped|idle|json|lock|ndjson|pid|port|sock|sqlite|token|waking)(?:[-.][^/]*)?)$/;

/** The existing files of a workspace, folders before their content. */
function targetsOf(workspace: Workspace) {
  const space = path.dirname(workspace.config);
  const logs = path.dirname(workspace.daemonLog);
  const isLog = (name: string) => name.startsWith(path.basename(workspace.daemonLog));
  const folders = [workspace.base, space, path.dirname(workspace.folder), workspace.folder, logs];
  const others = [
    workspace.token,
    ...['config.json', 'health.ndjson', 'health.ndjson.1'].map((name) => path.join(space, name)),
    ...filesIn(workspace.folder),
    ...filesIn(logs, isLog),
  ];
  return [...folders, ...others].flatMap((file) => {
    const stat = lstatIfThere(file);
    return stat === null ? [] : [{ file, stat, mayBeFolder: folders.includes(file) || !ofFiles.test(file) }];
  });
}
