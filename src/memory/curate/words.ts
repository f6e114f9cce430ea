import { digest, likeness, withoutTimes } from './lines.ts';

/** The words of a summary as far as two of them are compared. */
export interface Words {
  /** Digests of the distinct words. */
  readonly all: readonly number[];
  /** Numbers, hashes and whatever else has a digit, in order: one of them other, and it tells of something else. */
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

/** Whether two summaries say the same, in all but a word or two. */
export function haveSameWords(one: Words, other: Words): boolean {
  return one.figures === other.figures && likeness(one.all, other.all) >= likenessMin;
}

/** One word of twenty may differ. */
const likenessMin = 0.9;
