import path from 'node:path';
import { below, type Worktree, type Worktrees } from './worktrees.ts';

/** How far above the folder that both paths share the project may begin. */
const parentsMax = 3;
const sharedPartsMin = 2;

/** What is known of the project and of who asks. */
export interface Whereabouts {
  readonly worktrees: Worktrees;
  /** The workspace's path as users write it, which may be a link. */
  readonly alias: string;
  /** The folder of who asks; null when it is not known. */
  readonly asker: string | null;
}

/** A file in one of the working trees. */
export interface Place {
  readonly worktree: Worktree;
  readonly name: string;
}

/**
 * Where in the project a recorded path may be: in the working tree in which it was recorded, then where the asker is, then in the main
 * one. A text says why there is no such place. A memory may have been recorded elsewhere: in a worktree that was removed, in the project
 * before it moved, on another machine.
 */
export async function placesOf(
  recorded: string,
  cwd: string | null,
  { worktrees, alias, asker }: Whereabouts,
): Promise<readonly Place[] | string> {
  const plain = recorded.trim().replace(/^file:\/\//, '');
  if (plain === '' || /^~/.test(plain)) return 'it is outside of the workspace';
  const { root } = worktrees.first().tree;
  const written = path.isAbsolute(plain) ? path.normalize(plain) : path.join(cwd ?? root, plain);
  const full = throughAlias(written, alias, root);
  const own = worktrees.holding(full);
  const near = worktrees.near(asker === null ? null : throughAlias(asker, alias, root));
  if (own !== null) return named(await placesFrom(own, near));
  const former = worktrees.former(full);
  if (former !== null) return named(near.map((worktree) => ({ worktree, name: former })));
  if (cwd === null || worktrees.holding(path.join(throughAlias(cwd, alias, root), 'x')) !== null)
    return 'it is outside of the workspace';
  for (const name of tails(full, cwd)) {
    for (const worktree of worktrees.all()) {
      const isKnown = (await worktree.tree.has(name)) || (await worktree.history.fateOf(name)) !== null;
      if (isKnown) return named([{ worktree, name }]);
    }
  }
  const inside = below(cwd, full);
  if (inside === null) return 'it was recorded in another folder';
  return named(near.map((worktree) => ({ worktree, name: withoutWorktree(inside) })));
}

async function placesFrom(own: Place, near: readonly Worktree[]): Promise<readonly Place[]> {
  const name = withoutWorktree(own.name);
  const isRecorded = name === own.name || (await own.worktree.tree.has(own.name));
  const others = near.filter((one) => one !== own.worktree || name !== own.name);
  return [...(isRecorded ? [own] : []), ...others.map((worktree) => ({ worktree, name }))];
}

function throughAlias(full: string, alias: string, root: string): string {
  const rest = below(alias, full);
  return rest === null ? full : path.join(root, rest);
}

function named(places: readonly Place[]): readonly Place[] | string {
  const shown = places.filter(({ name }) => !/^\.(?:git|memd)(?:\/|$)/.test(name));
  return shown.length === 0 ? 'it is not part of the working tree' : shown;
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

/** The file of a worktree inside the workspace that was removed is that of the project. */
function withoutWorktree(name: string): string {
  return /(?:^|\/)\.?worktrees?\/[^/]+\/(.+)$/.exec(name)?.[1] ?? name;
}
