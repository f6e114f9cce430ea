import path from 'node:path';
import type { Function as ShellFunction } from 'unbash';
import { type Effect, type Piece, plain, type Standing, type Target } from '../../boundary/index.ts';
import { shellAlternativesMax, shellFoldersMax, shellLinksMax } from '../../limits.ts';
import type { Findings } from './findings.ts';

/** A word that a shell would hand over; null when nobody can tell it without running something. */
export type Word = Piece | null;

/** What is known of the outside of a command line. */
export interface Setting {
  /** Where the tool's shell stands. */
  readonly cwd: string;
  readonly home: string;
  /** Variables that can be told; others are unknown. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A search whose finds another command is run with. */
export interface Search {
  readonly starts: readonly Piece[];
  readonly names: readonly string[];
}

/** Stands for a search's finds among the words of the command that gets them. */
export const findMark = '\u0000found';

/** What every shell sets by itself, whatever the hook's environment has under that name (`mkdir a && cd $_`). */
const ofTheShell = new Set(['_', 'OLDPWD', 'RANDOM', 'SECONDS', 'PPID', 'SHLVL']);

/** A shell on its way through a command line. A subshell is a copy. */
export class State {
  from: readonly string[];
  isDoubtful = false;
  earlier: readonly string[];
  readonly stack: (readonly string[])[] = [];
  readonly variables: Map<string, readonly Piece[] | null>;
  readonly functions: Map<string, ShellFunction>;
  /** Names given by `ln` before: the link, and where it leads. */
  readonly links: { readonly link: string; readonly to: string }[];
  positional: readonly Word[] = [];
  search: Search | null = null;
  depth: number;
  /** Whether what comes next runs only when the command at hand succeeds. */
  isChained = false;
  /** Folders that this command line has made. */
  readonly made: Set<string>;
  /** How many conditions stand around the commands at hand. */
  conditions = 0;

  readonly setting: Setting;
  readonly findings: Findings;

  constructor(setting: Setting, findings: Findings, parent?: State) {
    this.setting = setting;
    this.findings = findings;
    this.from = parent?.from ?? [setting.cwd];
    this.earlier = parent?.earlier ?? this.from;
    this.variables = new Map(parent?.variables);
    this.functions = new Map(parent?.functions);
    this.links = [...(parent?.links ?? [])];
    this.made = new Set(parent?.made);
    this.depth = (parent?.depth ?? -1) + 1;
    if (parent === undefined) return;
    this.isDoubtful = parent.isDoubtful;
    this.positional = parent.positional;
    this.search = parent.search;
  }

  subshell(): State {
    return new State(this.setting, this.findings, this);
  }

  get standing(): Standing {
    return { from: this.from, isDoubtful: this.isDoubtful };
  }

  /** `cd`: with a folder nobody can tell, relative paths are unknown from then on. */
  changeFolder(word: Word | undefined): void {
    const before = this.from;
    if (word === undefined) this.from = [this.setting.home];
    else if (word === null) this.from = [];
    else if (word.text === '-') this.from = this.earlier;
    else {
      const there = before.map((folder) => path.resolve(folder, word.text));
      const isSure = this.isChained || there.every((folder) => this.made.has(folder));
      this.from = some(isSure ? there : [...there, ...before]);
    }
    this.earlier = before;
    if (this.conditions > 0) {
      this.from = some([...this.from, ...before]);
      this.isDoubtful = true;
    }
  }

  /** After `a && b`: where `a` failed, the shell stands where it stood. */
  mayStillStandIn(before: readonly string[]): void {
    if (this.from.length > 0)
      this.from = some([...this.from, ...(this.made.has(this.from[0] ?? '') ? [] : before)]);
  }

  /** Under a condition both the old and the new value may be meant. */
  assign(name: string, values: readonly Piece[] | null): void {
    const before = this.variables.get(name);
    const both = values !== null && this.conditions > 0 && before ? [...before, ...values] : values;
    this.variables.set(name, both?.slice(-shellAlternativesMax) ?? null);
  }

  valuesOf(name: string): readonly Piece[] | null {
    const values = this.variables.get(name);
    if (values !== undefined) return values;
    const [cwd] = this.from;
    if (name === 'PWD') return cwd === undefined ? null : [plain(cwd)];
    if (name === 'HOME') return [plain(this.setting.home)];
    if (ofTheShell.has(name)) return null;
    // Its own alone: `process.env` has what every object has (`constructor`, `toString`), and that is no text.
    const outside = Object.hasOwn(this.setting.env, name) ? this.setting.env[name] : undefined;
    return outside === undefined ? null : [plain(outside)];
  }

  emit(effect: Effect, word: Word | undefined, more: { onlyIfThere?: boolean } = {}): void {
    if (word === null || word === undefined) return;
    if (effect === 'folder') for (const folder of this.from) this.made.add(path.resolve(folder, word.text));
    if (word.text.includes(findMark)) {
      if (this.search !== null) this.add({ kind: 'found', at: this.standing, ...this.search });
      return;
    }
    this.add({ kind: 'path', at: this.standing, effect, piece: word, ...more });
    for (const text of this.#throughLinks(word.text)) {
      this.add({ kind: 'path', at: this.standing, effect, piece: plain(text), ...more });
    }
  }

  emitAll(effect: Effect, words: readonly Word[], more: { onlyIfThere?: boolean } = {}): void {
    for (const word of words) this.emit(effect, word, more);
  }

  /** Sources that nobody can tell still write the place that they are put at. */
  emitCopy(sources: readonly Word[], to: Word | undefined, more: { isLink?: boolean } = {}): void {
    if (to === null || to === undefined) return;
    const known = sources.filter((word) => word !== null).filter(({ text }) => !text.includes(findMark));
    this.add({ kind: 'copy', at: this.standing, sources: known, to, ...more });
    for (const text of this.#throughLinks(to.text)) {
      this.add({ kind: 'copy', at: this.standing, sources: known, to: plain(text), ...more });
    }
  }

  add(target: Target): void {
    const known = target.at.from.length > 0 ? target : fromAnywhere(target);
    if (known !== null && this.findings.takePieces(1)) this.findings.targets.push(known);
  }

  /** A name that `ln -s` gives, and where it leads. */
  addLink(link: string, to: string): void {
    if (this.links.length < shellLinksMax) this.links.push({ link, to });
  }

  /** What a path leads to by the links that this command line made itself: they are not on the disk yet. */
  #throughLinks(text: string): string[] {
    return this.from.flatMap((folder) => {
      const place = path.resolve(folder, text);
      return this.links
        .filter(({ link }) => place === link || place.startsWith(`${link}/`))
        .map(({ link, to }) => `${to}${place.slice(link.length)}`);
    });
  }
}

/** Where nobody can tell the folder, absolute paths still say where they lead. */
function fromAnywhere(target: Target): Target | null {
  const at: Standing = { from: ['/'], isDoubtful: false };
  const absolute = (pieces: readonly Piece[]): readonly Piece[] =>
    pieces.filter(({ text }) => path.isAbsolute(text));
  switch (target.kind) {
    case 'path':
      return path.isAbsolute(target.piece.text) ? { ...target, at } : null;
    case 'copy':
      return path.isAbsolute(target.to.text) ? { ...target, sources: absolute(target.sources), at } : null;
    case 'found':
      return { ...target, starts: absolute(target.starts), at };
    case 'patch':
      return null;
  }
}

function some(folders: readonly string[]): readonly string[] {
  return [...new Set(folders)].slice(0, shellFoldersMax);
}
