import fs from 'node:fs';
import path from 'node:path';
import { lstatIfThere, readIfThere } from '../../core/platform/index.ts';
import type { Workspace } from '../../core/workspace/index.ts';
import type { Check, Problem } from './check.ts';
import { bytesIn, bytesOf, namesIn, quoted, size } from './words.ts';

/** Memories of projects that no longer exist. Only the user removes them: a disk may just not be mounted. */
export const goneProjects: Check = {
  code: 'gone-projects',
  severity: 'note',
  sentence: 'the project of a memory no longer exists',
  repair: 'remove the folder of the memory',
  run: async ({ workspace }) => everyMemory(workspace.base).flatMap(checkProject),
  fix: null,
};

/** This project under another `MEMD_NS`: the two memories do not see each other. */
export const namespaces: Check = {
  code: 'namespaces',
  severity: 'note',
  sentence: 'this project also has a memory in another namespace',
  repair: 'set the same MEMD_NS for the assistant and for the shell',
  run: async ({ workspace }) => checkNamespaces(workspace),
  fix: null,
};

interface StoredMemory {
  readonly namespace: string;
  readonly folder: string;
  readonly log: string;
}

/** In all namespaces. */
function everyMemory(base: string): StoredMemory[] {
  const spaces = namesIn(base).filter((name) => lstatIfThere(path.join(base, name))?.isDirectory());
  return spaces.flatMap((namespace) =>
    namesIn(path.join(base, namespace, 'workspaces')).map((key) => ({
      namespace,
      folder: path.join(base, namespace, 'workspaces', key),
      log: path.join(base, namespace, 'logs', `${key}.ndjson`),
    })),
  );
}

function checkProject({ folder, log }: StoredMemory): Problem[] {
  const root = readIfThere(path.join(folder, 'root'));
  if (root === null || !path.isAbsolute(root) || fs.existsSync(root)) return [];
  const detail = `${root} (${size(bytesIn(folder) + bytesOf(log))})`;
  const repair = `unless its disk is not mounted, run \`rm -r ${quoted(folder)}; rm -f ${quoted(log)}*\``;
  return [{ detail, repair }];
}

function checkNamespaces({ base, key, namespace, database }: Workspace): Problem[] {
  const others = everyMemory(base).filter(
    (one) => one.namespace !== namespace && path.basename(one.folder) === key,
  );
  return others.flatMap((one): Problem[] => {
    const file = lstatIfThere(path.join(one.folder, 'db.sqlite'));
    if (file === null) return [];
    const detail = `${one.namespace}, ${size(bytesIn(one.folder))}, last written ${file.mtime.toISOString()}`;
    const repair = `${namespaces.repair}. To see the other one, run \`MEMD_NS=${one.namespace} memd info\``;
    if (lstatIfThere(database) !== null) return [{ detail, repair }];
    const sentence = 'this project has its memory in another namespace, and none in this one';
    return [{ severity: 'warning', sentence, detail, repair }];
  });
}
