import fs from 'node:fs';
import path from 'node:path';
import { gitOutput, orElse, readIfThere, writeWhole } from '#core/platform';
import type { Workspace } from './paths.ts';

/** What stays of a project when its path changes. */
export interface Identity {
  /** Decimal numbers; an inode alone proves nothing, since it is used again. */
  readonly device: string;
  readonly inode: string;
  /** When the folder was made, in ms since 1970; 0 where the file system does not say. */
  readonly bornMs: number;
  /** The first commits of its git history, sorted; none without git, and for a shallow clone, whose history has no known start. */
  readonly roots: readonly string[];
  readonly head: string | null;
}

const gitTimeoutMs = 5_000;

/** @throws when the folder is missing */
export async function identityIn(root: string): Promise<Identity> {
  const { dev, ino, birthtimeMs } = fs.statSync(root, { bigint: true });
  const folder = { device: String(dev), inode: String(ino), bornMs: Number(birthtimeMs) };
  // Git would look in the folders above too.
  if (!fs.existsSync(path.join(root, '.git'))) return { ...folder, roots: [], head: null };
  const ask = (...args: string[]) => gitOutput(root, args, gitTimeoutMs);
  const shallow = await ask('rev-parse', '--is-shallow-repository');
  const [roots, head] = await Promise.all([
    shallow?.trim() === 'false' ? ask('rev-list', '--max-parents=0', 'HEAD') : null,
    ask('rev-parse', 'HEAD'),
  ]);
  return { ...folder, roots: (roots ?? '').split('\n').filter(Boolean).sort(), head: head?.trim() ?? null };
}

/** Keeps the identity of a workspace for the day on which its folder is somewhere else. */
export async function recordIdentity(workspace: Workspace): Promise<void> {
  writeWhole(fileIn(workspace), JSON.stringify(await identityIn(workspace.root)));
}

/** The identity that a daemon recorded, or null. */
export function recordedIdentity(workspace: Workspace): Identity | null {
  // Damaged: as if it had never been written.
  return orElse(() => {
    const found: unknown = JSON.parse(readIfThere(fileIn(workspace)) ?? 'null');
    return isIdentity(found) ? found : null;
  }, null);
}

/** Whether it is one folder under two names, by device, inode and the time it was made. */
export function isSameFolder(one: Identity, other: Identity): boolean {
  const isPlace = one.device === other.device && one.inode === other.inode;
  if (!isPlace || one.bornMs !== other.bornMs) return false;
  return one.bornMs > 0 || hasSameRoots(one, other);
}

export function hasSameRoots(one: Identity, other: Identity): boolean {
  return one.roots.length > 0 && one.roots.join() === other.roots.join();
}

/** Whether the history in `root` holds `commit`. */
export async function holdsCommit(root: string, commit: string): Promise<boolean> {
  return (await gitOutput(root, ['merge-base', '--is-ancestor', commit, 'HEAD'], gitTimeoutMs)) !== null;
}

function fileIn({ folder }: Workspace): string {
  return path.join(folder, 'identity.json');
}

function isIdentity(found: unknown): found is Identity {
  if (typeof found !== 'object' || found === null) return false;
  const { device, inode, bornMs, roots, head } = { ...found } as Record<string, unknown>;
  return (
    typeof device === 'string' &&
    typeof inode === 'string' &&
    typeof bornMs === 'number' &&
    Array.isArray(roots) &&
    roots.every((one) => typeof one === 'string') &&
    (head === null || typeof head === 'string')
  );
}
