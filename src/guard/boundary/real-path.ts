import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pathCharsMax } from '../../core/limits.ts';

// As the system itself (path_resolution(7)).
const boundaryLinksMax = 40;

/** Symbolic links lead in a circle, or on and on. */
export class LinkLoop extends Error {}

/** Where a path that a tool was told may lead. All absolute. */
export interface Places {
  /** Real paths, each of which may be the one that is written: all of them have to be allowed. */
  readonly real: readonly string[];
  /** Names by which the same place is known: none of them may be denied. */
  readonly named: readonly string[];
}

/**
 * Where `text`, told by a tool that works in `folder`, leads: `..`, symbolic links at any level (a dangling one leads to
 * what it would make) and names that are not there yet. Programs disagree about `link/..`: most of those written
 * in JavaScript take it away by its letters, the system follows the link first, so both are told.
 */
export function placesOf(text: string, folder: string, home: string | null): Places {
  const told = withoutScheme(text);
  const spelled = [path.resolve(folder, told)];
  // Some tools expand a tilde, others make a folder of that name.
  if (home !== null && /^~(?:\/|$)/.test(told)) spelled.unshift(path.join(home, told.slice(1)));
  const [likely = '/', ...unlikely] = spelled;
  const followed = told.length > pathCharsMax ? likely : path.isAbsolute(told) ? told : `${folder}/${told}`;
  const real = unlikely.length > 0 ? [realPath(likely)] : [realPath(likely), realPath(followed)];
  return { real: [...new Set(real)], named: [...new Set([...spelled, ...unlikely.map(realPath)])] };
}

/**
 * The real path of an absolute one, whose last parts need not be there.
 * @throws LinkLoop where the system gives up as well (ELOOP)
 */
export function realPath(absolute: string): string {
  if (absolute.length > pathCharsMax && !isShortOnceNormal(absolute)) return path.normalize(absolute);
  const waiting = absolute.split('/').reverse();
  let real = '/';
  let links = 0;
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      real = path.dirname(real);
      continue;
    }
    const next = real === '/' ? `/${part}` : `${real}/${part}`;
    const target = linkTarget(next);
    if (target === null) {
      real = next;
      continue;
    }
    links += 1;
    if (links > boundaryLinksMax) throw new LinkLoop();
    if (target.startsWith('/')) real = '/';
    waiting.push(...target.split('/').reverse());
  }
  return process.platform === 'linux' ? real : inItsOwnCase(real);
}

function isShortOnceNormal(absolute: string): boolean {
  return path.normalize(absolute).length <= pathCharsMax;
}

function linkTarget(file: string): string | null {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true
      ? fs.readlinkSync(file)
      : null;
  } catch {
    // What we may not look at, the tool (the same user) may not write through.
    return null;
  }
}

/** Where names differ by case alone (macOS), the spelling on the disk of what is there. */
function inItsOwnCase(real: string): string {
  for (let there = real, below = ''; ; ) {
    try {
      return path.join(fs.realpathSync.native(there), below);
    } catch {
      // Not there yet: what is above it may be.
      if (there === path.dirname(there)) return real;
      below = path.join(path.basename(there), below);
      there = path.dirname(there);
    }
  }
}

/** Editors name files by `file:` addresses. */
function withoutScheme(text: string): string {
  if (!/^file:\/\//i.test(text)) return text;
  try {
    return fileURLToPath(text);
  } catch {
    // An address of another machine, or of no form, is a name like any other.
    return text;
  }
}
