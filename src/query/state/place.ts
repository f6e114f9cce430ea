import path from 'node:path';
import type { History } from './history.ts';
import type { Tree } from './tree.ts';

/** How far above the folder that both paths share the project may begin. */
const parentsMax = 3;
const sharedPartsMin = 2;

/** A path in the workspace, or why there is none. */
export type Place = { readonly name: string } | { readonly outside: string };

/**
 * The file in the workspace that a recorded path means. A memory may have been recorded in another folder than this one: a linked
 * worktree, the project before it moved, another machine.
 */
export async function placeOf(
  recorded: string,
  cwd: string | null,
  { tree, history, alias }: { readonly tree: Tree; readonly history: History; readonly alias: string },
): Promise<Place> {
  const plain = recorded.trim().replace(/^file:\/\//, '');
  if (plain === '' || /^~/.test(plain)) return { outside: 'it is outside of the workspace' };
  const full = path.isAbsolute(plain) ? path.normalize(plain) : path.join(cwd ?? tree.root, plain);
  const own = below(tree.root, full) ?? below(alias, full);
  if (own !== null) return named(await withoutWorktree(tree, own));
  const isHere = cwd === null || below(tree.root, cwd) !== null || below(alias, cwd) !== null;
  if (isHere) return { outside: 'it is outside of the workspace' };
  for (const name of tails(full, cwd)) {
    if ((await tree.has(name)) || (await history.fateOf(name)) !== null) return named(name);
  }
  const inside = below(cwd, full);
  if (inside === null) return { outside: 'it was recorded in another folder' };
  return named(await withoutWorktree(tree, inside));
}

function named(name: string): Place {
  const isPrivate = /^\.(?:git|memd)(?:\/|$)/.test(name);
  return isPrivate ? { outside: 'it is not part of the working tree' } : { name };
}

/** The path of `full` below `folder`, or null. */
function below(folder: string, full: string): string | null {
  const rest = path.relative(folder, full);
  return rest === '' || rest === '..' || rest.startsWith('../') || path.isAbsolute(rest) ? null : rest;
}

/** The path as seen from the folder that it shares with `cwd`, and from the folders above that. */
function tails(full: string, cwd: string): string[] {
  const parts = full.split('/');
  const others = cwd.split('/');
  let shared = 0;
  while (shared < parts.length - 1 && parts[shared] === others[shared]) shared += 1;
  const found: string[] = [];
  // The first part of an absolute path is empty.
  for (let at = shared; at > sharedPartsMin && at >= shared - parentsMax; at -= 1)
    found.push(parts.slice(at).join('/'));
  return found;
}

/** The file of a worktree inside the workspace; when that worktree is gone, the same file of the project. */
async function withoutWorktree(tree: Tree, name: string): Promise<string> {
  const rest = /(?:^|\/)\.?worktrees?\/[^/]+\/(.+)$/.exec(name)?.[1];
  return rest === undefined || (await tree.has(name)) ? name : rest;
}
