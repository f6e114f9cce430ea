import fs from 'node:fs';
import path from 'node:path';
import {
  Failure,
  isMine,
  lstatIfThere,
  messageOf,
  openOwn,
  orElse,
  realOrSame,
  withDescriptor,
} from '#core/platform';
import { pathCharsMax } from '../limits.ts';

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

/** The same for a recorded folder: if it is gone, its nearest existing parent counts. */
export function formerRoot({ cwd, home }: Pick<Surroundings, 'cwd' | 'home'>): string {
  return rootAbove(realAsFarAsThere(path.resolve(cwd)), home);
}

function rootAbove(start: string, homeFolder: string): string {
  const home = realOrSame(homeFolder);
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (folder === home && folder !== start) return start;
    const main = repositoryOf(folder);
    if (main !== null) return main;
    if (folder !== home && markIn(folder, '.memd') !== null) return folder;
    if (folder === home || folder === path.dirname(folder)) return start;
  }
}

/** The folder whose memory `folder` shares when it holds `.git`: its main repository's for a linked worktree, else its own. */
function repositoryOf(folder: string): string | null {
  const stat = markIn(folder, '.git');
  if (stat === null) return null;
  return (stat.isFile() ? mainRepositoryOf(folder) : null) ?? folder;
}

/**
 * The main repository of a linked worktree; null for every other folder. Any archive may contain a `.git` file that names a
 * repository, so it counts only when the repository's own entry names this folder
 * (gitrepository-layout(5)), and when all of it is this user's and no link. A submodule's git folder has no such entry.
 */
function mainRepositoryOf(folder: string): string | null {
  // A file is missing or another user's: nothing proves that they belong together.
  return orElse(() => {
    const gitDir = /^gitdir: (.+)$/s.exec(ownText(path.join(folder, '.git')))?.[1];
    if (gitDir === undefined) return null;
    const entry = fs.realpathSync.native(path.resolve(folder, gitDir));
    const common = fs.realpathSync.native(path.resolve(entry, ownText(path.join(entry, 'commondir'))));
    if (path.dirname(entry) !== path.join(common, 'worktrees') || !isGitFolder(common)) return null;
    const backLink = path.resolve(entry, ownText(path.join(entry, 'gitdir')));
    if (path.basename(backLink) !== '.git') return null;
    if (fs.realpathSync.native(path.dirname(backLink)) !== folder) return null;
    return path.basename(common) === '.git' ? path.dirname(common) : common;
  }, null);
}

/** Whether git would take it for a repository: a folder of working trees that is called `worktrees` has a parent too. */
function isGitFolder(folder: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => fs.existsSync(path.join(folder, name)));
}

/** The text of a small file without the newline at its end. @throws when it is a link, another user's, or larger than a path */
function ownText(file: string): string {
  const bytes = Buffer.alloc(pathCharsMax);
  const length = withDescriptor(openOwn(file), (fd) => fs.readSync(fd, bytes, 0, bytes.length, 0));
  if (length === bytes.length) throw new Error(`${file} is longer than a path`);
  return bytes.toString('utf8', 0, length).replace(/[\r\n]+$/, '');
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
    // Gone, or not readable: its name below the existing part.
    const above = path.dirname(folder);
    return above === folder ? folder : path.join(realAsFarAsThere(above), path.basename(folder));
  }
}

/**
 * The mark that makes `folder` a project, if its owner or this user created it. In a folder in which others may write
 * (`/tmp`) any user could create one.
 */
function markIn(folder: string, name: string): fs.Stats | null {
  // Another user's folder on the way up.
  return orElse(() => {
    const mark = path.join(folder, name);
    const own = lstatIfThere(mark);
    if (own === null || !(isMine(own) || own.uid === fs.statSync(folder).uid)) return null;
    return fs.statSync(mark, { throwIfNoEntry: false }) ?? null;
  }, null);
}
