import path from 'node:path';
import { forEachChild, type Function as ShellFunction, type SyntaxNode } from 'unbash';
import {
  pathCharsMax,
  shellAlternativesMax,
  shellFoldersMax,
  shellLinksMax,
  shellWordCharsMax,
} from '#core/limits';
import {
  type CwdCandidates,
  type Effect,
  hasUnread,
  type Piece,
  plain,
  resolveUnread,
  type Target,
  unread,
} from '#guard/boundary';
import type { Findings } from './findings.ts';
import { type Stdin, unknownWord, type Word } from './stdin.ts';

/** What is known outside the command line. */
export interface Setting {
  /** The working directory of the shell. */
  readonly cwd: string;
  readonly home: string;
  /** The environment variables of the hook. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly top?: string | null;
  /** The matches of a pattern in a folder; the pattern itself without any. */
  readonly lookUp?: (piece: Piece, folder: string) => readonly string[];
}

// Each `cd` in a row makes the paths longer.
const changeFolderSteps = 50;

/** Variables that every shell sets itself to a number, whatever the environment holds. */
const numbersOfTheShell = new Set(
  'RANDOM SRANDOM SECONDS PPID SHLVL BASHPID UID EUID LINENO EPOCHSECONDS EPOCHREALTIME OPTIND PIPESTATUS ? $ ! #'.split(
    ' ',
  ),
);

/** The command line in a variable whose value another program runs; empty for other variables. */
function commandIn(name: string, value: string): string {
  return name === 'TAR_OPTIONS' ? `tar ${value}` : commandVariables.test(name) ? value : '';
}

const commandVariables =
  /^(?:\w*(?:EDITOR|PAGER|ASKPASS|_RSH)|VISUAL|GIT_(?:SSH_COMMAND|EXTERNAL_DIFF)|(?:BASH_)?ENV|PROMPT_COMMAND|PS4|LESSOPEN)$/;

/** The state of a shell at one command. A subshell is a copy. */
export class State {
  from: readonly string[];
  isDoubtful = false;
  /** The variables that the line sets: the values that each may have, or the elements of an array. */
  readonly variables: Map<string, readonly Piece[]>;
  readonly functions: Map<string, ShellFunction>;
  readonly aliases: Map<string, string>;
  /** Links that `ln` made, and their targets. */
  readonly links: { readonly link: string; readonly to: string }[];
  positional: readonly Word[] = [];
  /** Whether a `shift` or a condition leaves open which word has which number. */
  isShifted = false;
  depth: number;
  /** Whether the next command runs only when this one succeeds. */
  isChained = false;
  readonly made: Set<string>;
  /** The number of conditions around the current command. */
  conditions = 0;

  readonly setting: Setting;
  readonly findings: Findings<State>;

  constructor(setting: Setting, findings: Findings<State>, parent?: State) {
    this.setting = setting;
    this.findings = findings;
    this.from = parent?.from ?? [setting.cwd];
    this.variables = new Map(parent?.variables);
    this.functions = new Map(parent?.functions);
    this.aliases = new Map(parent?.aliases);
    this.links = [...(parent?.links ?? [])];
    this.made = new Set(parent?.made);
    this.depth = (parent?.depth ?? -1) + 1;
    if (parent === undefined) return;
    this.isDoubtful = parent.isDoubtful;
    this.positional = parent.positional;
    this.isShifted = parent.isShifted;
  }

  subshell(): State {
    return new State(this.setting, this.findings, this);
  }

  /** A variable that programs read: a command line that they run, or a file that they write. */
  assignOutside(name: string, value: string): void {
    this.run(commandIn(name, value));
    if (/^GIT_TRACE\w*$/.test(name) && !/^(?:\d|true|false)?$/i.test(value)) this.emit('write', plain(value));
  }

  /** A command line that a program gets in an option, a variable or a file. */
  run(text: string): void {
    if (text !== '') this.subshell().runHere(text);
  }

  /** The same in this shell itself. */
  runHere(text: string): void {
    this.findings.shell.runText(text, this);
  }

  /** The command in the words of another one. */
  runInner(words: readonly Word[], stdin: Stdin): void {
    this.depth += 1;
    this.findings.shell.runCommand({ words, stdin }, this);
    this.depth -= 1;
  }

  get cwdCandidates(): CwdCandidates {
    return { from: this.from, isDoubtful: this.isDoubtful };
  }

  /** `cd`. After one into an unknown folder, relative paths are `unread`. */
  changeFolder(word: Word | undefined): void {
    if (!this.findings.step(changeFolderSteps)) return;
    const before = this.from;
    if (word === undefined) this.from = [this.setting.home];
    else if (word.text === '-') this.from = [unread.any];
    else {
      const there = before.map((folder) => resolveIn(folder, word.text));
      // With CDPATH it may be a folder anywhere.
      if (this.variables.has('CDPATH') && !/^(?:\/|\.{1,2}(?:\/|$))/.test(word.text))
        there.unshift(unread.any);
      const isSure = this.isChained || there.every((folder) => this.made.has(folder));
      this.from = some(isSure ? there : [...there, ...before]);
    }
    if (this.conditions > 0) {
      this.from = some([...this.from, ...before]);
      this.isDoubtful = true;
    }
  }

  /** After `a && b`: when `a` failed, the shell is still in its old folder. */
  mayStillStandIn(before: readonly string[]): void {
    this.from = some([...this.from, ...(this.made.has(this.from[0] ?? '') ? [] : before)]);
  }

  /** Under a condition the variable may still have its old value. */
  assign(name: string, values: readonly Piece[]): void {
    if (this.conditions > 0) this.addValues(name, values);
    else this.setValues(name, values);
    // With it patterns match hidden names.
    if (name === 'GLOBIGNORE') this.findings.isLoose = true;
  }

  setValues(name: string, values: readonly Piece[]): void {
    this.variables.set(name, values.slice(-shellAlternativesMax).map(withinLimit));
  }

  addValues(name: string, values: readonly Piece[]): void {
    this.setValues(name, [...(this.variables.get(name) ?? []), ...values]);
  }

  /** Every variable in an arithmetic expression may be a number from here on. */
  assignNumbers(node: SyntaxNode | undefined): void {
    if (node === undefined) return;
    const name = node.type === 'ArithmeticWord' ? /^\$?\{?([A-Za-z_]\w*)/.exec(node.value)?.[1] : undefined;
    if (name !== undefined) this.setValues(name, [...(this.valuesOf(name) ?? []), plain(unread.number)]);
    forEachChild(node, (child) => this.assignNumbers(child));
  }

  /** The characters that separate words: every one that IFS may hold. */
  get separators(): string {
    const values = this.valuesOf('IFS') ?? [];
    return values.map(({ text }) => text).join('');
  }

  /** What `$name` may be; undefined when neither the line, the shell nor the environment sets it. */
  valuesOf(name: string): readonly Piece[] | undefined {
    const values = this.variables.get(name);
    if (values !== undefined) return values;
    if (name === 'PWD') return this.from.slice(0, 1).map(plain);
    if (name === 'HOME') return [plain(this.setting.home)];
    if (name === 'IFS') return [plain(' \t\n')];
    if (name === '0') return [plain('bash')];
    if (numbersOfTheShell.has(name)) return [plain(unread.number)];
    if (['_', '-', 'REPLY', 'OLDPWD'].includes(name)) return [unknownWord];
    // Own properties only: `process.env` inherits `constructor` and `toString`.
    const outside = Object.hasOwn(this.setting.env, name) ? this.setting.env[name] : undefined;
    return outside === undefined ? undefined : [plain(outside)];
  }

  /** The matches of a pattern, each as one word, unless the line may have made further ones. */
  found(piece: Piece): readonly Piece[] {
    const [folder] = this.from;
    const { lookUp } = this.setting;
    const isOpen = this.findings.targets.length > 0 || folder === undefined || lookUp === undefined;
    if (piece.pattern === null || isOpen) return [piece];
    return lookUp(piece, folder).map(plain);
  }

  emit(effect: Effect, word: Word | undefined, more: { onlyIfThere?: boolean } = {}): void {
    if (word === undefined) return;
    if (effect === 'folder') for (const folder of this.from) this.made.add(resolveIn(folder, word.text));
    const search = this.findings.searchAt(word.text);
    if (search !== null) {
      this.add({ kind: 'found', at: this.cwdCandidates, ...search });
      return;
    }
    const piece = this.findings.withoutMarks(word);
    this.add({ kind: 'path', at: this.cwdCandidates, effect, piece, ...more });
    for (const text of this.#throughLinks(piece.text))
      this.add({ kind: 'path', at: this.cwdCandidates, effect, piece: plain(text), ...more });
  }

  emitAll(effect: Effect, words: readonly Word[], more: { onlyIfThere?: boolean } = {}): void {
    for (const word of words) this.emit(effect, word, more);
  }

  emitCopy(sources: readonly Word[], to: Word | undefined, more: { isLink?: boolean } = {}): void {
    if (to === undefined) return;
    const known = sources.map((word) => this.findings.withoutMarks(word));
    const piece = this.findings.withoutMarks(to);
    this.add({ kind: 'copy', at: this.cwdCandidates, sources: known, to: piece, ...more });
    for (const text of this.#throughLinks(piece.text))
      this.add({ kind: 'copy', at: this.cwdCandidates, sources: known, to: plain(text), ...more });
  }

  add(target: Target): void {
    if (this.findings.takePieces(1)) this.findings.targets.push(target);
  }

  /** A name that `ln -s` makes, and its target. */
  addLink(link: string, to: string): void {
    if (this.links.length < shellLinksMax) this.links.push({ link, to });
  }

  /** The targets of a path through links that this line makes: they are not on the disk yet. */
  #throughLinks(text: string): string[] {
    return this.from.flatMap((folder) => {
      const place = resolveIn(folder, text);
      return this.links
        .filter(({ link }) => place === link || place.startsWith(`${link}/`))
        .map(({ link, to }) => `${to}${place.slice(link.length)}`);
    });
  }
}

/** The absolute path of `text` relative to `folder`, with its unknown parts. */
export function resolveIn(folder: string, text: string): string {
  // No file system takes a longer name; a folder may grow with every `cd`.
  if (folder.length + text.length > pathCharsMax) return unread.any;
  return hasUnread(folder) || hasUnread(text) ? resolveUnread(text, folder) : path.resolve(folder, text);
}

/** A value may double in length with each assignment. */
function withinLimit(piece: Piece): Piece {
  return piece.text.length > shellWordCharsMax ? unknownWord : piece;
}

function some(folders: readonly string[]): readonly string[] {
  return [...new Set(folders)].slice(0, shellFoldersMax);
}

/** Adds to `state` what one program writes, given its arguments. */
export type Command = (words: readonly Word[], state: State, stdin: Stdin) => void;

/** One command under several names. */
export function named(names: string, command: Command): Readonly<Record<string, Command>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, command]));
}
