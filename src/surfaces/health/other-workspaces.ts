import fs from 'node:fs';
import path from 'node:path';
import { isAlive, lstatIfThere, readIfThere } from '../../core/platform/index.ts';
import { daemonPid, type Workspace } from '../../core/workspace/index.ts';
import { isDaemonOf } from '../../service/lifecycle/index.ts';
import type { Check, Found } from './check.ts';
import { bytesIn, bytesOf, namesIn, quoted, size } from './words.ts';

// Workspaces that are looked at for a project that is gone.
const doctorWorkspacesMax = 1_000;

/** Memories of projects that are gone: nothing removes them, since a disk may only be away. */
export const goneProjects: Check = {
  code: 'gone-projects',
  severity: 'note',
  sentence: 'a memory is that of a project that is not there any more',
  repair: 'remove its folder',
  look: async ({ workspace }) => memoriesBelow(workspace.base).flatMap(lookAtProject),
  fix: null,
};

/** This project under another `MEMD_NS`: what is captured under one is not found under the other. */
export const namespaces: Check = {
  code: 'namespaces',
  severity: 'note',
  sentence: 'this project has a memory in another namespace too',
  repair: 'set the same MEMD_NS for the assistant and for the shell',
  look: async ({ workspace }) => lookAtNamespaces(workspace),
  fix: null,
};

interface Memory {
  readonly namespace: string;
  readonly folder: string;
  readonly log: string;
}

/** In all namespaces. */
function memoriesBelow(base: string): Memory[] {
  const spaces = namesIn(base).filter((name) => lstatIfThere(path.join(base, name))?.isDirectory());
  const all = spaces.flatMap((namespace) =>
    namesIn(path.join(base, namespace, 'workspaces')).map((key) => ({
      namespace,
      folder: path.join(base, namespace, 'workspaces', key),
      log: path.join(base, namespace, 'logs', `${key}.ndjson`),
    })),
  );
  return all.slice(0, doctorWorkspacesMax);
}

function lookAtProject({ namespace, folder, log }: Memory): Found[] {
  const root = readIfThere(path.join(folder, 'root'));
  if (root === null || !path.isAbsolute(root) || fs.existsSync(root)) return [];
  const told = daemonPid({ pid: path.join(folder, 'run.pid') });
  const pid = told !== null && isAlive(told) && isDaemonOf(told, { root, namespace }) ? told : null;
  const end = pid === null ? '' : `kill ${pid}; `;
  const runs = pid === null ? '' : `, whose daemon (pid ${pid}) still runs`;
  return [
    {
      detail: `${root} (${size(bytesIn(folder) + bytesOf(log))}${runs})`,
      repair: `unless its disk is only away: ${end}rm -r ${quoted(folder)}; rm -f ${quoted(log)}*`,
    },
  ];
}

function lookAtNamespaces({ base, key, namespace, database }: Workspace): Found[] {
  const others = memoriesBelow(base).filter(
    (one) => one.namespace !== namespace && path.basename(one.folder) === key,
  );
  const isHere = lstatIfThere(database) !== null;
  return others.flatMap((one) => {
    const file = lstatIfThere(path.join(one.folder, 'db.sqlite'));
    if (file === null) return [];
    const detail = `${one.namespace}, ${size(bytesIn(one.folder))}, last written ${file.mtime.toISOString()}`;
    const repair = `to look at that one: MEMD_NS=${one.namespace} memd info; set the same MEMD_NS for the assistant and for the shell`;
    if (isHere) return [{ detail, repair }];
    const sentence = 'this project has its memory in another namespace, and none in this one';
    return [{ severity: 'warning' as const, sentence, detail, repair }];
  });
}
