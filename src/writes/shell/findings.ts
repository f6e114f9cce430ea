import type { Target } from '../../boundary/index.ts';
import { shellPiecesMax, shellStepsMax, shellTextCharsMax } from '../../limits.ts';

/** What a command line has been found to write, shared by all its subshells. */
export class Findings {
  readonly targets: Target[] = [];
  #stepsLeft = shellStepsMax;
  #piecesLeft = shellPiecesMax;
  #textLeft = shellTextCharsMax;

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
}
