import { cutMark } from '../../core/event/index.ts';
import { digestNamesMax } from '../../core/limits.ts';
import { type Call, familyOf } from '../../reading/call/index.ts';
import {
  addPlace,
  type FileChange,
  lastingLines,
  lineHash,
  type Place as Part,
  placeOf,
  plainLine,
  sizeOfPlaces,
  wholeChangesIn,
} from '../../reading/edits/index.ts';
import { subjectsOf } from '../../reading/subjects/index.ts';
import { isScratch, plainPath } from '../../reading/text/index.ts';
import type { ChangedFile } from './account.ts';
import { ByCopy, ByPath, byCount, hasOther } from './by-path.ts';
import { GitTalk, isInGit, takenBack } from './git-talk.ts';
import type { Place } from './turn.ts';
import { listsFolder } from './worth.ts';

const linesMax = 4_000;
const partsLinesMax = 10_000;
const askedLinesMax = 12;
const symbolsMax = 12;
const symbolCharsMax = 40;
const symbolLinesMax = 40;

interface FileWork {
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
  /** Lines by which an edit is known again. */
  readonly telling: Set<string>;
  /** Lines that were there before and were taken out. */
  readonly lost: Set<string>;
}

/** The files that a session changes, call by call. */
export class Files {
  readonly git = new GitTalk();
  readonly #files = new ByCopy<FileWork>((path) => this.git.inProject(path));
  readonly #reads = new Map<string, number>();

  /** `call` is seen from the root of the session. Returns the paths that it changed. */
  take(call: Call, place: Place): readonly string[] {
    const changed: string[] = [];
    const names: [FileWork['symbols'], string][] = [];
    this.git.take(call);
    for (const { kind, name, outcome } of subjectsOf(call)) {
      if (kind === 'file' && (outcome === 'changed' || outcome === 'created' || outcome === 'removed')) {
        const isFolder = outcome === 'removed' && this.#isFolder(call, name);
        if (!isFolder && this.#change(name, outcome, call, place) !== null) changed.push(name);
      } else if (kind === 'file' && outcome === 'read') {
        this.#read(name, call);
      } else if (kind === 'symbol' && outcome !== 'removed') {
        const at = name.lastIndexOf('#');
        const symbols = this.#files.get(name.slice(0, at))?.symbols;
        if (symbols !== undefined && symbols.size < digestNamesMax) names.push([symbols, name.slice(at + 1)]);
      }
    }
    const added = changed.length > 0 ? this.#lines(call, changed) : [];
    for (const [symbols, name] of names)
      symbols.set(name, [...(symbols.get(name) ?? []), ...added].slice(-symbolLinesMax));
    this.#takeBack(call);
    return changed;
  }

  #read(name: string, call: Call): void {
    if (listsFolder(name, call) || this.#isOutside(name, call)) return;
    const times = this.#reads.get(name) ?? 0;
    if (times > 0 || this.#reads.size < digestNamesMax) this.#reads.set(name, times + 1);
  }

  /** Whether no change of the project can be in it. */
  #isOutside(path: string, { cwd }: Call): boolean {
    return isScratch(path, cwd) && !this.git.isInTree(path);
  }

  /** Whether what was removed is a folder that came with the session, or that it did not touch; `Makefile` is a file. */
  #isFolder(call: Call, name: string): boolean {
    const isNone = familyOf(call) === 'command' && /^[\w-]+$/.test(name) && !this.#files.has(name);
    return this.#emptied(name.replace(/\/$/, '')) || isNone;
  }

  /** A folder takes its files with it. Returns whether all of them came with the session. */
  #emptied(folder: string): boolean {
    const isInside = (path: string): boolean => path.startsWith(`${folder}/`);
    const inside = [...this.#files.values()].filter(
      ({ path, copies }) => isInside(path) || [...copies.values()].some(isInside),
    );
    for (const file of inside) if (!hasOther(file, isInside)) file.isGone = file.isOpen = true;
    return inside.length > 0 && inside.every(({ isNew }) => isNew);
  }

  #change(
    path: string,
    outcome: 'changed' | 'created' | 'removed',
    call: Call,
    place: Place,
  ): FileWork | null {
    const isBackup = outcome === 'removed' && /\.(?:bak|orig)$/.test(path);
    const isNone = isBackup || this.#isOutside(path, call) || path.includes(cutMark);
    const file = this.#files.get(path) ?? (isNone ? null : this.#add(path, place, outcome === 'created'));
    if (file === null || (file.isGone && outcome === 'removed')) return file;
    if (outcome !== 'removed') file.copies.set(path, path);
    else if (hasOther(file, (one) => one.toLowerCase() === path.toLowerCase())) return null;
    // Renamed in case only, or the copy in another worktree.
    if (file.isGone || file.path.toLowerCase() !== path.toLowerCase()) file.path = path;
    file.place = place;
    file.edits += 1;
    file.isGone = outcome === 'removed';
    file.isOpen = true;
    return file;
  }

  #add(path: string, place: Place, isNew: boolean): FileWork | null {
    if (this.#files.size >= digestNamesMax) return null;
    const file: FileWork = {
      ...{ path, place, since: place.at, copies: new ByPath<string>() },
      ...{ edits: 0, committed: 0, isNew, isGone: false, isOpen: false },
      ...{ symbols: new Map(), parts: [], size: null, telling: new Set(), lost: new Set() },
    };
    this.#files.set(path, file);
    return file;
  }

  /** Returns lines that the call added. */
  #lines(call: Call, changed: readonly string[]): string[] {
    const shown = new Set<string>();
    for (const change of wholeChangesIn(call)) {
      const file = this.#files.get(plainPath(change.to ?? change.path, call.cwd));
      if (file === undefined) continue;
      if (addHunks(file, change)) shown.add(file.path);
    }
    // A command shows no lines.
    for (const file of changed.flatMap((path) => this.#files.get(path) ?? []))
      if (!shown.has(file.path)) file.parts = null;
    const added: string[] = [];
    for (const { path, lines } of lastingLines(call)) {
      const { telling, lost } = this.#files.get(plainPath(path, call.cwd)) ?? {};
      // A line that comes back is as before.
      for (const line of lines)
        if (telling !== undefined && lost?.delete(line) === false && telling.size < linesMax) {
          telling.add(line);
          added.push(line);
        }
    }
    return added;
  }

  /** `git checkout -- FILE` and its like take the changes since the last commit back. */
  #takeBack(call: Call): void {
    const isBack = this.#files.size === 0 ? null : takenBack(call);
    if (isBack === null) return;
    for (const file of this.#files.values())
      if (file.isOpen && (!file.isNew || file.committed > 0) && isBack(file.path)) this.#undo(file);
  }

  /** Takes back what no commit has. */
  #undo(file: FileWork): void {
    if (file.committed === 0) this.#files.delete(file.path);
    else Object.assign(file, { edits: file.committed, isOpen: false, isGone: false, parts: null });
  }

  /** Something may have committed. */
  committed(): void {
    for (const file of this.#files.values()) {
      file.isOpen = false;
      file.committed = file.edits;
    }
  }

  /** A commit. Returns the files that only it shows. */
  staged(): ReturnType<GitTalk['written']> {
    return this.git.written().filter(({ path, place }) => {
      const file = this.#files.has(path) ? null : this.#add(path, place, false);
      if (file !== null) file.parts = null;
      return file !== null;
    });
  }

  /** The user took back what no commit has. */
  reverted(): void {
    for (const file of this.#files.values()) if (file.isOpen) this.#undo(file);
  }

  isChanged(path: string): boolean {
    const file = this.#files.get(path);
    return file !== undefined && isLeft(file);
  }

  /** Whether changes of it are left, or what was there at `at` was removed. */
  isTouched(path: string, at: number): boolean {
    const { isGone = false, since = at } = this.#files.get(path) ?? {};
    return (isGone && since < at) || this.isChanged(path);
  }

  /** What is left of the changes, the most edited first. */
  changed(): { readonly files: readonly ChangedFile[]; readonly count: number } {
    const left = [...this.#files.values()].filter(isLeft).sort((one, other) => other.edits - one.edits);
    return {
      count: left.length,
      files: left.slice(0, filesMax).map((file) => ({
        ...{ path: file.path, seq: file.place.seq, ts: file.place.ts, edits: file.edits, ...sizeIn(file) },
        ...{ isNew: file.isNew, isGone: file.isGone, isOpen: file.isOpen && !isInGit(file.path) },
        symbols: symbolsLeft(file).slice(0, symbolsMax),
        lines: file.isGone ? [] : [...file.telling].slice(-askedLinesMax).map(lineHash),
      })),
    };
  }

  /** The most often read first. */
  read(): string[] {
    const changed = (path: string): boolean => this.isChanged(path);
    return byCount(this.#reads).filter((path) => !changed(path));
  }

  names(): { readonly paths: readonly string[]; readonly symbols: readonly string[] } {
    const files = [...this.#files.values()].sort((one, other) => other.edits - one.edits);
    return {
      paths: files.map(({ path }) => path),
      symbols: files.flatMap(({ symbols }) => [...symbols.keys()]),
    };
  }
}

const filesMax = 120;

/** A file that came and went, and one whose edits undo each other, are as before. */
function isLeft(file: FileWork): boolean {
  const { isNew, isGone, edits, parts } = file;
  if (isNew && isGone) return false;
  if (edits < 2 || parts === null || isGone || isNew) return true;
  const { added, removed } = sizeIn(file);
  return added + removed > 0;
}

/** Without those whose lines were all taken out again. */
function symbolsLeft({ symbols, telling }: FileWork): string[] {
  return [...symbols].flatMap(([name, lines]) =>
    name.length <= symbolCharsMax && (lines.length === 0 || lines.some((line) => telling.has(line)))
      ? [name]
      : [],
  );
}

/** Whether the change shows what it did to the file. One that is written again shows only what it has now. */
function addHunks(file: FileWork, { hunks, kind }: FileChange): boolean {
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
function sizeIn(file: FileWork): ReturnType<typeof sizeOfPlaces> {
  if (file.parts === null) return { added: 0, removed: 0 };
  file.size ??= sizeOfPlaces(file.parts);
  const { added, removed } = file.size;
  // What a new file loses, it had from the session.
  return file.isNew ? { added: Math.max(0, added - removed), removed: 0 } : file.size;
}
