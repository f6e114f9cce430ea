import { type Piece, plain, unread } from '../../boundary/index.ts';

/** A word that a shell would hand over; what nobody can tell without running something is in it as `unread`. */
export type Word = Piece;

/** A word that may be any text. */
export const unknownWord: Word = plain(unread.any);

/** A search whose finds another command is run with. */
export interface Search {
  readonly starts: readonly Piece[];
  readonly names: readonly string[];
}

/** What a command gets on its input, or puts out: words or a text that the line tells, or finds of a search. */
export interface Stdin {
  readonly words: readonly Word[] | null;
  readonly text: string | null;
  /** The file that the input comes from. */
  readonly file?: Word;
  readonly search?: Search;
}

export const noStdin: Stdin = { words: null, text: null };

/** A command with its arguments. */
export interface Invocation {
  readonly words: readonly Word[];
  readonly stdin: Stdin;
}
