import { cutMark } from '#core/event';
import {
  addPlace,
  type FileChange,
  type Place as Part,
  placeOf,
  plainLine,
  sizeOfPlaces,
} from '#reading/edits';
import type { ByPath } from './by-path.ts';
import type { Place } from './turn.ts';

export const linesMax = 4_000;
const partsLinesMax = 10_000;
const symbolCharsMax = 40;

/** What a session does to a file. */
export interface FileWork {
  path: string;
  /** Its paths in worktrees that have it changed. */
  readonly copies: ByPath<string>;
  place: Place;
  /** When it was changed first. */
  readonly since: number;
  edits: number;
  /** Those that a commit may have. */
  committed: number;
  isNew: boolean;
  isGone: boolean;
  isOpen: boolean;
  /** Each with lines that were written for it; none where it only lost some. */
  readonly symbols: Map<string, readonly string[]>;
  /** What all edits together changed; null when a change does not show its lines. */
  parts: Part[] | null;
  /** The lines of `parts`; null until asked. */
  size: ReturnType<typeof sizeOfPlaces> | null;
  /** Lines by which an edit is known again, and when each was written. */
  readonly telling: Map<string, number>;
  /** Lines that were there before and were taken out. */
  readonly lost: Set<string>;
}

/** A file that came and went, and one whose edits undo each other, are as before. */
export function isLeft(file: FileWork): boolean {
  const { isNew, isGone, edits, parts } = file;
  if (isNew && isGone) return false;
  if (edits < 2 || parts === null || isGone || isNew) return true;
  const { added, removed } = sizeIn(file);
  return added + removed > 0;
}

/** Without those whose lines were all taken out again. */
export function symbolsLeft({ symbols, telling }: FileWork): string[] {
  return [...symbols].flatMap(([name, lines]) =>
    name.length <= symbolCharsMax && (lines.length === 0 || lines.some((line) => telling.has(line)))
      ? [name]
      : [],
  );
}

/** Whether the change shows what it did to the file. One that is written again shows only what it has now. */
export function addHunks(file: FileWork, { hunks, kind }: FileChange): boolean {
  const places = hunks.map(placeOf);
  const isFirst = kind === 'created' && file.edits === 1;
  const isWritten =
    kind === 'created' || (kind === 'overwrote' && places.every(({ before }) => before.length === 0));
  if (isWritten && (isFirst || file.isNew)) file.parts = [];
  for (const line of hunks.flatMap(({ removed }) => removed.map(plainLine)))
    if (!file.telling.delete(line) && file.lost.size < linesMax) file.lost.add(line);
  const isCut = places.some(({ before, after }) =>
    [...before, ...after].some((line) => line.includes(cutMark)),
  );
  if (hunks.length === 0 || isCut || (isWritten && !isFirst && !file.isNew)) return false;
  for (const place of places) addPlace(file.parts ?? [], place);
  file.size = null;
  return linesIn(file) <= partsLinesMax;
}

function linesIn({ parts }: FileWork): number {
  return (parts ?? []).reduce((sum, { before, after }) => sum + before.length + after.length, 0);
}

/** How many lines the edits changed altogether; none where that is not known. */
export function sizeIn(file: FileWork): ReturnType<typeof sizeOfPlaces> {
  if (file.parts === null) return { added: 0, removed: 0 };
  file.size ??= sizeOfPlaces(file.parts);
  const { added, removed } = file.size;
  // What a new file loses, it had from the session.
  return file.isNew ? { added: Math.max(0, added - removed), removed: 0 } : file.size;
}
