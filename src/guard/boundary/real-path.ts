import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pathCharsMax } from '#core/limits';
import { orElse, spelledAsStored } from '#core/platform';

// The limit of Linux (path_resolution(7)).
const boundaryLinksMax = 40;

/** The links form a cycle, or a chain that is too long. */
export class LinkLoop extends Error {}

/** The absolute paths that a path in a tool call may mean. */
export interface ResolvedPaths {
  /** Each of them may be written, so all must be allowed. */
  readonly real: readonly string[];
  /** Other names of the same file; none of them may be denied. */
  readonly named: readonly string[];
}

/**
 * Resolves `text` relative to `folder`: `..`, symbolic links at any level, and names that do not exist yet. Programs disagree
 * about `link/..`: most JavaScript programs remove it as text, the system follows the link first. Both paths are returned.
 */
export function pathsOf(text: string, folder: string, home: string | null): ResolvedPaths {
  const plainPath = withoutScheme(text);
  const spelled = [path.resolve(folder, plainPath)];
  // Some tools expand a tilde, others make a folder of that name.
  if (home !== null && /^~(?:\/|$)/.test(plainPath)) spelled.unshift(path.join(home, plainPath.slice(1)));
  const [likely = '/', ...unlikely] = spelled;
  const followed =
    plainPath.length > pathCharsMax
      ? likely
      : path.isAbsolute(plainPath)
        ? plainPath
        : `${folder}/${plainPath}`;
  const real = unlikely.length > 0 ? [realPath(likely)] : [realPath(likely), realPath(followed)];
  return { real: [...new Set(real)], named: [...new Set([...spelled, ...unlikely.map(realPath)])] };
}

/**
 * The real path of an absolute path, whose last parts may be missing.
 * @throws LinkLoop when the system fails as well (ELOOP)
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
  return spelledAsStored(real);
}

/** The real path; the path itself in a cycle of links, which every policy denies. */
export function realPathOrSame(absolute: string): string {
  return orElse(() => realPath(absolute), absolute);
}

function isShortOnceNormal(absolute: string): boolean {
  return path.normalize(absolute).length <= pathCharsMax;
}

function linkTarget(file: string): string | null {
  // What is closed to this process is closed to the tool (the same user).
  return orElse(
    () =>
      fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true ? fs.readlinkSync(file) : null,
    null,
  );
}

/** Editors use `file:` addresses. */
export function withoutScheme(text: string): string {
  if (!/^file:\//i.test(text)) return text;
  // An address of another machine, or an invalid one, is an ordinary name.
  return orElse(() => fileURLToPath(text), text);
}
