import fs from 'node:fs';
import path from 'node:path';
import { Failure, messageOf, readIfThere } from '../platform/index.ts';

export interface Surroundings {
  readonly cwd: string;
  readonly home: string;
  /** `CLAUDE_PROJECT_DIR`, when the assistant set it. */
  readonly projectDir?: string | undefined;
}

/**
 * The real path of the folder whose memory this is: from the project folder up to the nearest one that
 * holds `.git` or `.memd`, never at or above HOME unless HOME is where the search starts. A linked git
 * worktree belongs to its main repository.
 * @throws Failure `no_workspace` when the starting folder does not exist.
 */
export function workspaceRoot(around: Surroundings): string {
  return rootAbove(realFolder(around.projectDir || around.cwd), around.home);
}

/** The same for a folder that was told of at another time: one that is gone counts with what is left above it. */
export function formerRoot({ cwd, home }: Pick<Surroundings, 'cwd' | 'home'>): string {
  return rootAbove(realAsFarAsThere(path.resolve(cwd)), home);
}

function rootAbove(start: string, homeFolder: string): string {
  const home = realOrSame(homeFolder);
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (folder === home && folder !== start) return start;
    const main = repositoryOf(folder);
    if (main !== null) return main;
    if (folder !== home && fs.existsSync(path.join(folder, '.memd'))) return folder;
    if (folder === home || folder === path.dirname(folder)) return start;
  }
}

/** The main repository's folder when `folder` holds `.git`, else null. */
function repositoryOf(folder: string): string | null {
  const dotGit = path.join(folder, '.git');
  const stat = statIfSeen(dotGit);
  if (stat === null) return null;
  if (!stat.isFile()) return folder;
  // A linked worktree's `.git` is a file; its `commondir` leads to the main repository (gitrepository-layout(5)).
  // A submodule has such a file too but no `commondir`: it is a workspace of its own.
  const gitDir = /^gitdir:\s*(.+?)\s*$/m.exec(readIfThere(dotGit) ?? '')?.[1];
  if (gitDir === undefined) return folder;
  const absolute = path.resolve(folder, gitDir);
  const common = readIfThere(path.join(absolute, 'commondir'))?.trim();
  if (!common) return folder;
  const commonDir = realOrSame(path.resolve(absolute, common));
  return path.basename(commonDir) === '.git' ? path.dirname(commonDir) : commonDir;
}

function realFolder(folder: string): string {
  try {
    const real = fs.realpathSync.native(folder);
    // The slash makes a file fail as one that is missing does.
    fs.statSync(`${real}/`);
    return real;
  } catch (error) {
    throw new Failure('no_workspace', `the project folder ${folder} cannot be opened: ${messageOf(error)}`, {
      repair: 'set CLAUDE_PROJECT_DIR to a folder that exists, or change into one',
      cause: error,
    });
  }
}

function realAsFarAsThere(folder: string): string {
  try {
    return fs.realpathSync.native(folder);
  } catch {
    // Gone, or closed to us: its name below what is there.
    const above = path.dirname(folder);
    return above === folder ? folder : path.join(realAsFarAsThere(above), path.basename(folder));
  }
}

function statIfSeen(target: string): fs.Stats | null {
  try {
    return fs.statSync(target, { throwIfNoEntry: false }) ?? null;
  } catch {
    // What we may not look at (a folder of another user on the way up) is not ours to be in.
    return null;
  }
}

function realOrSame(folder: string): string {
  try {
    return fs.realpathSync.native(folder);
  } catch {
    // A HOME that does not exist yet still bounds the search by its name.
    return path.resolve(folder);
  }
}
