import path from 'node:path';
import { lstatIfThere } from '../../core/platform/index.ts';
import { everyWorkspace, type Workspace } from '../../core/workspace/index.ts';

/** Another memory of the namespace, as the page lists it. */
export interface Project {
  readonly key: string;
  readonly root: string;
  readonly isHere: boolean;
  /** Its daemon serves a page, or did when it was killed. */
  readonly isServed: boolean;
  /** The last write to its database; null without one. */
  readonly changedMs: number | null;
}

/** The memories of a namespace whose folder is known, the one that changed last first. Opens none of them. */
export function projectsNear(here: Workspace): readonly Project[] {
  return everyWorkspace(path.dirname(here.base))
    .filter(({ namespace, root }) => namespace === here.namespace && root !== '')
    .map(({ key, root, httpPort, database }) => {
      const times = [database, `${database}-wal`].flatMap((file) => lstatIfThere(file)?.mtimeMs ?? []);
      return {
        key,
        root,
        isHere: key === here.key,
        isServed: lstatIfThere(httpPort) !== null,
        changedMs: times.length === 0 ? null : Math.max(...times),
      };
    })
    .sort((a, b) => (b.changedMs ?? 0) - (a.changedMs ?? 0));
}
