import type { Vocabulary } from './tokenizer.ts';

export interface UnigramSettings {
  readonly vocabulary: Vocabulary;
  /** The logarithm of each piece's probability, by its id. */
  readonly scores: Float64Array;
  /** What a character costs that is no piece: `unknownPenalty` less than the unlikeliest piece. */
  readonly unknownScore: number;
  readonly unknownId: number | null;
}

/** The scores of a vocabulary, in the order of its ids. */
export function unigramScores(scores: Float64Array): Pick<UnigramSettings, 'scores' | 'unknownScore'> {
  return { scores, unknownScore: scores.reduce((least, one) => Math.min(least, one), 0) - unknownPenalty };
}

/**
 * The ids of the likeliest pieces that a text is made of (Viterbi; Kudo 2018, "Subword Regularization"). What is
 * in no piece counts for nothing.
 */
export function unigramPieces(
  text: string,
  { vocabulary, scores, unknownScore, unknownId }: UnigramSettings,
): number[] {
  const best = new Float64Array(text.length + 1).fill(Number.NEGATIVE_INFINITY);
  const cameFrom = new Int32Array(text.length + 1);
  const idTo = new Int32Array(text.length + 1).fill(unknown);
  best[0] = 0;
  const step = (start: number, end: number, score: number, id: number) => {
    const total = (best[start] ?? 0) + score;
    if (total <= (best[end] ?? 0)) return;
    best[end] = total;
    cameFrom[end] = start;
    idTo[end] = id;
  };
  for (let start = 0; start < text.length; ) {
    const one = (text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
    let hasOne = false;
    const last = Math.min(text.length, start + vocabulary.charsMax);
    for (let end = start + one; end <= last; end++) {
      const id = vocabulary.idOf.get(text.slice(start, end));
      if (id === undefined) continue;
      step(start, end, scores[id] ?? unknownScore, id === unknownId ? unknown : id);
      if (end === start + one) hasOne = true;
    }
    if (!hasOne) step(start, start + one, unknownScore, unknown);
    start += one;
  }
  const ids: number[] = [];
  for (let end = text.length; end > 0; end = cameFrom[end] ?? 0) {
    const id = idTo[end] ?? unknown;
    if (id !== unknown) ids.push(id);
  }
  return ids.reverse();
}

const unknown = -1;
/** As in SentencePiece: `kUnkPenalty` of `unigram_model.cc`. */
const unknownPenalty = 10;
