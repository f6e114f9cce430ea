import fs from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import { boundaryLookMs } from '#core/limits';
import { orElse } from '#core/platform';
import { GlobMatcher } from './glob.ts';
import { statIfSeen } from './scope-context.ts';
import type { Piece } from './target.ts';
import { foundUnread, hasUnread } from './unread.ts';

const boundaryEntriesMax = 5_000;

/** How much of the disk one decision may still read. */
export class LookupBudget {
  readonly globs = new GlobMatcher();
  #left = boundaryEntriesMax;
  readonly #endsAt: number;

  constructor(forMs: number) {
    this.#endsAt = performance.now() + forMs;
  }

  /** Counts one entry; false when there are too many. */
  take(): boolean {
    this.#left -= 1;
    return this.#left >= 0 && ((this.#left & 63) !== 0 || performance.now() < this.#endsAt);
  }
}

/** The paths below a folder, within the limits; links are not followed. */
export function* below(folder: string, budget: LookupBudget): Generator<string> {
  const waiting = [folder];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const entry of entriesOf(at)) {
      if (!budget.take()) return;
      const location = path.join(at, entry.name);
      yield location;
      if (entry.isDirectory()) waiting.push(location);
    }
  }
}

/** The paths that a word means: the matches of its pattern below `folder`, else the word itself, as in a shell. */
export function expand(piece: Piece, folder: string, budget: LookupBudget): readonly string[] {
  if (piece.pattern === null) return [piece.text];
  if (hasUnread(piece.text) || hasUnread(folder)) return [foundUnread(piece.pattern)];
  const isAbsolute = piece.pattern.startsWith('/');
  let found = [isAbsolute ? '/' : ''];
  for (const part of piece.pattern.split('/').filter((one) => one !== '')) {
    found = found.flatMap((location) => step(location, part, folder, budget, piece.isLoose === true));
    if (found.length === 0) return [piece.text];
  }
  return found;
}

/** A pattern lookup for one decision, with limits of its own. */
export function patternLookUp(): (piece: Piece, folder: string) => readonly string[] {
  const budget = new LookupBudget(boundaryLookMs);
  return (piece, folder) => expand(piece, folder, budget);
}

function step(
  location: string,
  part: string,
  folder: string,
  budget: LookupBudget,
  isLoose: boolean,
): string[] {
  const join = (name: string): string => (location === '' ? name : path.posix.join(location, name));
  if (part === '.' || part === '..')
    return [`${location}${location === '' || location === '/' ? '' : '/'}${part}`];
  if (!picomatch.scan(part).isGlob) return [join(part.replace(/\\(.)/g, '$1'))];
  const at = path.isAbsolute(location) ? location : path.join(folder, location);
  if (part === '**') {
    const folders = [...below(at, budget)].filter(isFolder).map((inner) => join(path.relative(at, inner)));
    return [...(location === '' ? ['.'] : [location]), ...folders];
  }
  const names = entriesOf(at)
    .filter(() => budget.take())
    .map(({ name }) => name);
  return budget.globs
    .fitting(part, names, { dot: isLoose || part.startsWith('.'), nocase: isLoose })
    .map(join);
}

export function isFolder(location: string): boolean {
  return statIfSeen(location)?.isDirectory() === true;
}

function entriesOf(folder: string): fs.Dirent[] {
  // Removed since, not a folder, or closed to us and to the tool.
  return orElse(() => fs.readdirSync(folder, { withFileTypes: true }), []);
}
