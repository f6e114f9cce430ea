import type { Script } from 'unbash';
import { shellPiecesMax, shellStepsMax, shellTextCharsMax } from '#core/limits';
import { type Piece, type Target, unread } from '#guard/boundary';
import { type Invocation, type Stdin, unknownWord } from './stdin.ts';

/** A search whose results are written, or are given to another command. */
export interface Search {
  readonly starts: readonly Piece[];
  readonly names: readonly string[];
}

/** The evaluation itself, for the parts that run what they find in arguments. */
export interface Shell<State> {
  /** What a script in `$(...)` prints. */
  outputOf(script: Script, state: State): Stdin;
  /** Runs a text as a script. */
  runText(text: string, state: State): void;
  /** Runs one command. */
  runCommand(invocation: Invocation, state: State): void;
  /** Whether the tables name a program. */
  isKnown(program: string): boolean;
}

/** What a command line writes; all its subshells share one. */
export class Findings<State> {
  readonly targets: Target[] = [];
  /** Whether the line changes how patterns match (`shopt -s dotglob`). */
  isLoose = false;
  readonly shell: Shell<State>;
  readonly #searches: Search[] = [];
  readonly #pipes: Stdin[] = [];
  #stepsLeft = shellStepsMax;
  #piecesLeft = shellPiecesMax;
  #textLeft = shellTextCharsMax;
  #isExceeded = false;

  constructor(shell: Shell<State>) {
    this.shell = shell;
  }

  /** Counts a command, or what takes as long as several; false when the line has too many. */
  step(count = 1): boolean {
    this.#stepsLeft -= count;
    return this.#isWithin(this.#stepsLeft) && this.#piecesLeft >= 0;
  }

  /** Counts words, or paths found in them; false when the line has too many. */
  takePieces(count: number): boolean {
    this.#piecesLeft -= count;
    return this.#isWithin(this.#piecesLeft);
  }

  /** Counts the characters of a text that the line itself runs; false when there are too many. */
  takeText(chars: number): boolean {
    this.#textLeft -= chars;
    return this.#isWithin(this.#textLeft);
  }

  /** Behind a limit the line is not read: it may write anything. */
  exceed(): void {
    if (this.#isExceeded) return;
    this.#isExceeded = true;
    const at = { from: ['/'], isDoubtful: false };
    this.targets.push({ kind: 'path', at, effect: 'write', piece: unknownWord });
  }

  #isWithin(left: number): boolean {
    if (left < 0) this.exceed();
    return left >= 0;
  }

  /** A text that stands for the results of a search. */
  markOf(search: Search): string {
    this.#searches.push(search);
    return `\u0000${this.#searches.length - 1}\u0000`;
  }

  /** The search that the whole text stands for; null for any other text. */
  searchAt(text: string): Search | null {
    const at = /^(?:\.\/)?\u0000(\d+)\u0000$/.exec(text)?.[1];
    return at === undefined ? null : (this.#searches[Number(at)] ?? null);
  }

  /** A search result with a text before or behind it may be any text. */
  withoutMarks(word: Piece): Piece {
    const mark = /\u0000\d+\u0000/g;
    if (!word.text.includes('\u0000')) return word;
    return {
      ...word,
      text: word.text.replace(mark, unread.any),
      pattern: word.pattern?.replace(mark, unread.any) ?? null,
    };
  }

  /** The file name of a process substitution, through which another command reads its output. */
  pipeOf(stdin: Stdin): string {
    this.#pipes.push(stdin);
    return `/dev/fd/${firstPipe + this.#pipes.length - 1}`;
  }

  /** What the line's own process substitution prints; null for any other file. */
  pipeAt(file: string): Stdin | null {
    const number = /^\/dev\/fd\/(\d+)$/.exec(file)?.[1];
    return number === undefined ? null : (this.#pipes[Number(number) - firstPipe] ?? null);
  }
}

const firstPipe = 1_000;
