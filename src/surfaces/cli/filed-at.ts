import path from 'node:path';
import { workspaceOf } from './daemon-link.ts';
import type { Io } from './io.ts';

/** A path as the memory may have it: one inside the workspace is relative to its root. */
export function filedAt(file: string, io: Io): string {
  const isHere = path.isAbsolute(file) || /^\.{1,2}\//.test(file);
  if (!isHere) return file;
  const relative = path.relative(workspaceOf(io).root, path.resolve(io.cwd, file));
  return relative.startsWith('..') || relative === '' ? file : relative;
}
