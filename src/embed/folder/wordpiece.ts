import type { Vocabulary } from './tokenizer.ts';

export interface WordPieceSettings {
  readonly vocabulary: Vocabulary;
  /** What stands before a piece that goes on with a word, mostly `##`. */
  readonly prefix: string;
  /** A longer word is not known. */
  readonly wordCharsMax: number;
}

/**
 * The ids of the longest pieces that a word is made of, from its front; none when a rest of it is no piece: the word is then
 * not known, and unknown words count for nothing. Schuster and Nakajima 2012, as in BERT.
 */
export function wordPieces(word: string, { vocabulary, prefix, wordCharsMax }: WordPieceSettings): number[] {
  if (word.length > wordCharsMax && [...word].length > wordCharsMax) return [];
  const ids: number[] = [];
  for (let start = 0; start < word.length; ) {
    const front = start === 0 ? '' : prefix;
    let end = Math.min(word.length, start + vocabulary.charsMax);
    let id: number | undefined;
    for (; end > start; end--) {
      id = vocabulary.idOf.get(front + word.slice(start, end));
      if (id !== undefined) break;
    }
    if (id === undefined) return [];
    ids.push(id);
    start = end;
  }
  return ids;
}
