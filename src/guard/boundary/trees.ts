import fs from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import { boundaryLookMs } from '../../core/limits.ts';
import { Asking } from './glob.ts';
import type { Piece } from './target.ts';
import { foundUnread, hasUnread } from './unread.ts';

const boundaryEntriesMax = 5_000;

/** How much may still be looked at on the disk for one decision. */
export class Looking {
  /** For the patterns that are looked up. */
  readonly asking = new Asking();
  #left = boundaryEntriesMax;
  readonly #endsAt: number;

  /** `forMs` milliseconds from now. */
  constructor(forMs: number) {
    this.#endsAt = performance.now() + forMs;
  }

  /** Takes one; false when there has been enough. */
  take(): boolean {
    this.#left -= 1;
    return this.#left >= 0 && ((this.#left & 63) !== 0 || performance.now() < this.#endsAt);
  }
}

/** What lies below a folder, as far as it may be looked at; links are told and not followed. */
export function* below(folder: string, looking: Looking): Generator<string> {
  const waiting = [folder];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const entry of entriesOf(at)) {
      if (!looking.take()) return;
      const place = path.join(at, entry.name);
      yield place;
      if (entry.isDirectory()) waiting.push(place);
    }
  }
}

/** The paths that a word stands for: those that its pattern finds from `folder`, else the word itself, as a shell does. */
export function expand(piece: Piece, folder: string, looking: Looking): readonly string[] {
  if (piece.pattern === null) return [piece.text];
  if (hasUnread(piece.text) || hasUnread(folder)) return [foundUnread(piece.pattern)];
  const isAbsolute = piece.pattern.startsWith('/');
  let found = [isAbsolute ? '/' : ''];
  for (const part of piece.pattern.split('/').filter((one) => one !== '')) {
    found = found.flatMap((place) => step(place, part, folder, looking, piece.isLoose === true));
    if (found.length === 0) return [piece.text];
  }
  return found;
}

/** Looks up patterns for one decision; its own share of what may be looked at. */
export function patternLookUp(): (piece: Piece, folder: string) => readonly string[] {
  const looking = new Looking(boundaryLookMs);
  return (piece, folder) => expand(piece, folder, looking);
}

function step(place: string, part: string, folder: string, looking: Looking, isLoose: boolean): string[] {
  const join = (name: string): string => (place === '' ? name : path.posix.join(place, name));
  if (part === '.' || part === '..') return [`${place}${place === '' || place === '/' ? '' : '/'}${part}`];
  if (!picomatch.scan(part).isGlob) return [join(part.replace(/\\(.)/g, '$1'))];
  const at = path.isAbsolute(place) ? place : path.join(folder, place);
  if (part === '**') {
    const folders = [...below(at, looking)].filter(isFolder).map((inner) => join(path.relative(at, inner)));
    return [...(place === '' ? ['.'] : [place]), ...folders];
  }
  const names = entriesOf(at)
    .filter(() => looking.take())
    .map(({ name }) => name);
  return looking.asking
    .fitting(part, names, { dot: isLoose || part.startsWith('.'), nocase: isLoose })
    .map(join);
}

export function isFolder(place: string): boolean {
  try {
    return fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    // What cannot be looked at cannot be written into either.
    return false;
  }
}

function entriesOf(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    // Gone meanwhile, not a folder, or closed to us and to the tool alike.
    return [];
  }
}
