import path from 'node:path';
import { lstatIfThere } from '#core/platform';
import { everyWorkspace, type Workspace } from '#core/workspace';

/** Another memory of the namespace, as the page lists it. */
export type Project = Readonly<ReturnType<typeof projectsNear>[number]>;

/** The memories of a namespace whose folder is known, the one that changed last first. Opens none of them. */
export function projectsNear(here: Workspace) {
  return everyWorkspace(path.dirname(here.base))
    .filter(({ namespace, root }) => namespace === here.namespace && root !== '')
    .map(({ key, root, httpPort, database }) => {
      const times = [database, `${database}-wal`].flatMap((file) => lstatIfThere(file)?.mtimeMs ?? []);
      return {
        key,
        root,
        isHere: key === here.key,
        /** Its daemon serves a page, or did when it was killed. */
        isServed: lstatIfThere(httpPort) !== null,
        /** The last write to its database; null without one. */
        changedMs: times.length === 0 ? null : Math.max(...times),
      };
    })
    .sort((a, b) => (b.changedMs ?? 0) - (a.changedMs ?? 0));
}
