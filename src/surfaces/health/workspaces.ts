import fs from 'node:fs';
import path from 'node:path';
import { lstatIfThere } from '../../core/platform/index.ts';
import { everyWorkspace, homeOf, type Workspace } from '../../core/workspace/index.ts';
import type { Check, Problem } from './check.ts';
import { bytesIn, bytesOf, quoted, size } from './words.ts';

/** Memories of projects that no longer exist. Only the user removes them: a disk may just not be mounted. */
export const goneProjects: Check = {
  code: 'gone-projects',
  severity: 'note',
  sentence: 'the project of a memory no longer exists',
  repair: 'remove the folder of the memory',
  run: async ({ env }) => everyWorkspace(homeOf(env)).flatMap(checkProject),
};

/** This project under another `MEMD_NS`: the two memories do not see each other. */
export const namespaces: Check = {
  code: 'namespaces',
  severity: 'note',
  sentence: 'this project also has a memory in another namespace',
  repair: 'set the same MEMD_NS for the assistant and for the shell',
  run: async ({ workspace, env }) => checkNamespaces(workspace, everyWorkspace(homeOf(env))),
};

function checkProject({ root, folder, daemonLog }: Workspace): Problem[] {
  if (!path.isAbsolute(root) || fs.existsSync(root)) return [];
  const detail = `${root} (${size(bytesIn(folder) + bytesOf(daemonLog))})`;
  const repair = `unless its disk is not mounted, run \`rm -r ${quoted(folder)}; rm -f ${quoted(daemonLog)}*\``;
  return [{ detail, repair }];
}

function checkNamespaces({ key, namespace, database }: Workspace, every: readonly Workspace[]): Problem[] {
  const others = every.filter((one) => one.namespace !== namespace && one.key === key);
  return others.flatMap((one): Problem[] => {
    const file = lstatIfThere(one.database);
    if (file === null) return [];
    const detail = `${one.namespace}, ${size(bytesIn(one.folder))}, last written ${file.mtime.toISOString()}`;
    const repair = `${namespaces.repair}. To see the other one, run \`MEMD_NS=${one.namespace} memd info\``;
    if (lstatIfThere(database) !== null) return [{ detail, repair }];
    const sentence = 'this project has its memory in another namespace, and none in this one';
    return [{ severity: 'warning', sentence, detail, repair }];
  });
}
