import { shellWordsMax } from '#core/limits';
import { type Piece, patternOrName, plain, unread } from '#guard/boundary';

/** A word as a program receives it. Parts that are known only at run time are marked by `unread`. */
export type Word = Piece;

/** A word that may be any text. */
export const unknownWord: Word = plain(unread.any);

/** What a command reads on its standard input, or prints: one of `texts`. */
export interface Stdin {
  readonly texts: readonly string[];
  /** The file that the text comes from. */
  readonly file?: Word;
}

export const unknownInput: Stdin = { texts: [unread.any] };

/** The words and the whole lines of an input: a command that reads it may take either. */
export function wordsIn({ texts }: Stdin, separators = ' \t\n'): readonly Word[] {
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line !== '');
  return lines
    .flatMap((line) => {
      const words = splitAt(line, separators);
      return words.length > 1 ? [...words, line] : words;
    })
    .slice(0, shellWordsMax)
    .map(patternOrName);
}

function splitAt(text: string, separators: string): readonly string[] {
  const isSeparator = (char: string): boolean => separators.includes(char);
  return Array.from(text, (char) => (isSeparator(char) ? '\n' : char))
    .join('')
    .split('\n')
    .filter((word) => word !== '');
}

/** A command with its arguments. */
export interface Invocation {
  readonly words: readonly Word[];
  readonly stdin: Stdin;
}
