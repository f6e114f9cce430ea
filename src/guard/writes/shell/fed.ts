import type { Search, Word } from './state.ts';

/** What a command gets on its input, or puts out: words or a text that the line tells, or finds of a search. */
export interface Fed {
  readonly words: readonly Word[] | null;
  readonly text: string | null;
  /** The file that the input comes from. */
  readonly file?: Word;
  readonly search?: Search;
}

export const nothingFed: Fed = { words: null, text: null };

/** A command with its arguments. */
export interface Invocation {
  readonly words: readonly Word[];
  readonly fed: Fed;
}
