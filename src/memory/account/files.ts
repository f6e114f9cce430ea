import { cutMark } from '#core/event';
import { digestNamesMax } from '#core/limits';
import { type Call, familyOf } from '#reading/call';
import { lastingLines, lineHash, wholeChangesIn } from '#reading/edits';
import { subjectsOf } from '#reading/subjects';
import { isScratch, plainPath } from '#reading/text';
import type { ChangedFile } from './account.ts';
import { ByCopy, ByPath, byCount, hasOther } from './by-path.ts';
import { addHunks, type FileWork, isLeft, linesMax, sizeIn, symbolsLeft } from './file-work.ts';
import { GitTalk, isInGit, takenBack } from './git-talk.ts';
import type { Place } from './turn.ts';
import { listsFolder } from './worth.ts';

const askedLinesMax = 12;
const symbolsMax = 12;
const symbolLinesMax = 40;

/** The files that a session changes, call by call. */
export class Files {
  readonly git = new GitTalk();
  readonly #files = new ByCopy<FileWork>((path) => this.git.inProject(path));
  readonly #reads = new Map<string, number>();
  /** How many telling lines each call wrote. */
  readonly #written = new Map<number, number>();

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
    const added = changed.length > 0 ? this.#lines(call, changed, place.at) : [];
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
      ...{ symbols: new Map(), parts: [], size: null, telling: new Map(), lost: new Set() },
    };
    this.#files.set(path, file);
    return file;
  }

  /** Returns lines that the call added. */
  #lines(call: Call, changed: readonly string[], at: number): string[] {
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
          added.push(line);
          // A file that is written again as a whole has some already.
          if (telling.has(line)) continue;
          telling.set(line, at);
          this.#written.set(at, (this.#written.get(at) ?? 0) + 1);
        }
    }
    return added;
  }

  /** The requests of which later calls took most back; `workedFor`: the one for which a call worked. */
  undone<One>(workedFor: (at: number) => One): Set<One> {
    const left = new Map<number, number>();
    for (const { telling, isGone } of this.#files.values())
      for (const at of isGone ? [] : telling.values()) left.set(at, (left.get(at) ?? 0) + 1);
    const sums = new Map<One, number>();
    for (const [at, count] of this.#written) {
      const one = workedFor(at);
      sums.set(one, (sums.get(one) ?? 0) + (left.get(at) ?? 0) - count * undoneShare);
    }
    return new Set([...sums].flatMap(([one, sum]) => (sum < 0 ? [one] : [])));
  }

  /** Whether most of what is left of the lines in a file was written at these times. */
  isMostlyOf(path: string, isThen: (at: number) => boolean): boolean {
    const left = [...(this.#files.get(path)?.telling.values() ?? [])];
    return left.filter(isThen).length * 2 >= left.length;
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
        lines: file.isGone ? [] : [...file.telling.keys()].slice(-askedLinesMax).map(lineHash),
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
const undoneShare = 0.5;
