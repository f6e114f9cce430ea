import { bytesIn, lstatIfThere } from '#core/platform';
import { everyWorkspace, homeOf, type Workspace } from '#core/workspace';
import type { Check, Problem } from './check.ts';
import { size } from './words.ts';

/** This project under another `MEMD_NS`: the two memories do not see each other. */
export const namespaces: Check = {
  code: 'namespaces',
  severity: 'note',
  sentence: 'this project also has a memory in another namespace',
  repair: 'set the same MEMD_NS for the assistant and for the shell',
  run: async ({ workspace, env }) => checkNamespaces(workspace, everyWorkspace(homeOf(env))),
};

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
