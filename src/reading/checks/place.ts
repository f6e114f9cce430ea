import path from 'node:path';
import type { Call } from '../call/index.ts';
import { folderOf } from '../shell/index.ts';

/** The folder of a call in the project. */
export function placeOf(call: Call, root: string | null): string {
  const folder = folderOf(call, root);
  if (folder === null || root === null) return '';
  const place = path.relative(root, path.resolve(root, folder));
  if (!place.startsWith('..')) return place;
  // Another copy of the project, such as a worktree of git, next to it by its name.
  const [, copy = '', ...rest] = place.split('/');
  return /^[-._]/.test(copy.slice(path.basename(root).length)) && copy.startsWith(path.basename(root))
    ? rest.join('/')
    : '';
}
