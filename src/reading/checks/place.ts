import path from 'node:path';
import type { Call } from '#reading/call';
import { folderOfStep } from '#reading/shell';

/** The folder in the project of what a call ran in `from`, a folder from that of the call. */
export function placeOf(call: Call, root: string | null, from: string): string {
  const folder = folderOfStep(call, root, from);
  if (folder === null || root === null) return '';
  const place = path.relative(root, path.resolve(root, folder));
  if (!place.startsWith('..')) return place;
  // Another copy of the project, such as a worktree of git, next to it by its name.
  const [, copy = '', ...rest] = place.split('/');
  return /^[-._]/.test(copy.slice(path.basename(root).length)) && copy.startsWith(path.basename(root))
    ? rest.join('/')
    : '';
}
