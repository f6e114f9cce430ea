import fs from 'node:fs';
import path from 'node:path';
import { messageOf, orElse } from '#core/platform';
import { forgetPlace, recordedPlace, recordPlace, workspaceRoot } from '#core/workspace';
import type { StartContext } from './start-context.ts';

const placesMax = 2_000;

/** The folders from which hooks reach this daemon: the project's root, its worktrees, and folders in which assistants work. */
export function placesOf({ workspace, home, logger }: Pick<StartContext, 'workspace' | 'home' | 'logger'>) {
  const known = new Set<string>();
  // None for what is not a folder, or not readable.
  const rootOf = (folder: string): string | null => orElse(() => workspaceRoot({ cwd: folder, home }), null);
  const record = (folder: string): void => {
    try {
      recordPlace(workspace, folder);
    } catch (error) {
      logger.warn({ error: messageOf(error) }, 'hooks reach this daemon by Node only');
    }
  };
  record(workspace.root);
  return {
    /** Whether a hook's folder belongs to this workspace; one that was removed meanwhile, if its place was noted. */
    isOurs: (folder: string): boolean => {
      if (!path.isAbsolute(folder)) return false;
      if (!fs.existsSync(folder)) return recordedPlace(home, workspace.namespace, folder) === workspace.key;
      if (rootOf(folder) === workspace.root) return true;
      known.delete(folder);
      forgetPlace(workspace, folder);
      return false;
    },
    /** A hook that found this daemon by itself came from `folder`: the next one from there finds it without Node. */
    learn: (folder: string): void => {
      if (known.has(folder) || known.size >= placesMax || !fs.existsSync(folder)) return;
      if (rootOf(folder) !== workspace.root) return;
      known.add(folder);
      record(fs.realpathSync.native(folder));
    },
  };
}
