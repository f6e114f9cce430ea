import { digest, likeness, withoutTimes } from './lines.ts';

export interface Words {
  /** Digests of the distinct words. */
  readonly all: readonly number[];
  /** Words with a digit, in order. A different figure means a different statement. */
  readonly figures: string;
}

export function wordsOf(text: string): Words {
  const words =
    withoutTimes(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu) ?? [];
  return {
    all: [...new Set(words)].map(digest),
    figures: words.filter((word) => /\p{N}/u.test(word)).join(' '),
  };
}

/** Whether two summaries say the same, except for a word or two. */
export function haveSameWords(one: Words, other: Words): boolean {
  return one.figures === other.figures && likeness(one.all, other.all) >= likenessMin;
}

const likenessMin = 0.9;
