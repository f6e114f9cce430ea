import type { Script } from 'unbash';
import { shellPiecesMax, shellStepsMax, shellTextCharsMax } from '../../../core/limits.ts';
import { type Piece, type Target, unread } from '../../boundary/index.ts';
import type { Search, Stdin } from './stdin.ts';

/** What a command line has been found to write, shared by all its subshells. */
export class Findings<State> {
  readonly targets: Target[] = [];
  /** Whether the line changes how patterns are looked up (`shopt -s dotglob`). */
  isLoose = false;
  /** What a script in `$(...)` puts out. */
  readonly outputOf: (script: Script, state: State) => Stdin;
  readonly #searches: Search[] = [];
  readonly #pipes: Stdin[] = [];
  #stepsLeft = shellStepsMax;
  #piecesLeft = shellPiecesMax;
  #textLeft = shellTextCharsMax;

  constructor(outputOf: (script: Script, state: State) => Stdin) {
    this.outputOf = outputOf;
  }

  /** Takes one command; false when there have been enough. */
  step(): boolean {
    this.#stepsLeft -= 1;
    return this.#stepsLeft >= 0 && this.#piecesLeft >= 0;
  }

  /** Takes words, or paths found in them; false when there have been enough. */
  takePieces(count: number): boolean {
    this.#piecesLeft -= count;
    return this.#piecesLeft >= 0;
  }

  /** Takes a text that the line itself runs, by its characters; false when there has been enough. */
  takeText(chars: number): boolean {
    this.#textLeft -= chars;
    return this.#textLeft >= 0;
  }

  /** A text that stands for what a search finds. */
  markOf(search: Search): string {
    this.#searches.push(search);
    return `\u0000${this.#searches.length - 1}\u0000`;
  }

  /** The search that the whole text stands for; null for any other text. */
  searchAt(text: string): Search | null {
    const at = /^(?:\.\/)?\u0000(\d+)\u0000$/.exec(text)?.[1];
    return at === undefined ? null : (this.#searches[Number(at)] ?? null);
  }

  /** What a search finds with something put before or behind it is any text. */
  withoutMarks(word: Piece): Piece {
    const mark = /\u0000\d+\u0000/g;
    if (!word.text.includes('\u0000')) return word;
    return {
      ...word,
      text: word.text.replace(mark, unread.any),
      pattern: word.pattern?.replace(mark, unread.any) ?? null,
    };
  }

  /** The name of a process substitution, behind which another command finds what it puts out. */
  pipeOf(stdin: Stdin): string {
    this.#pipes.push(stdin);
    return `/dev/fd/${firstPipe + this.#pipes.length - 1}`;
  }

  /** What comes out of a file that is one of the line's own pipes; null for any other. */
  pipeAt(file: string): Stdin | null {
    const number = /^\/dev\/fd\/(\d+)$/.exec(file)?.[1];
    return number === undefined ? null : (this.#pipes[Number(number) - firstPipe] ?? null);
  }
}

const firstPipe = 1_000;
