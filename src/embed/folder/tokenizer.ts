import * as v from 'valibot';
import { tokenCharsMax } from '../../limits.ts';
import { normaliserOf, typeIn, Unsupported } from './normalise.ts';
import { preTokeniserOf } from './pre-tokenise.ts';
import { unigramPieces, unigramScores } from './unigram.ts';
import { wordPieces } from './wordpiece.ts';

/** Text -> the ids of its tokens; words that it does not know give none. */
export interface Tokenizer {
  tokenise(text: string): number[];
  /** The highest id there is. */
  readonly idMax: number;
}

export interface Vocabulary {
  readonly idOf: ReadonlyMap<string, number>;
  /** Characters of the longest token, at most `tokenCharsMax`: what is longer is not looked for. */
  readonly charsMax: number;
}

/**
 * The tokenizer of a `tokenizer.json` with a WordPiece or a Unigram model. Special tokens (`[CLS]`) are neither added nor
 * looked for: a static model's mean has no use for them.
 * @throws Unsupported
 */
export function tokenizerOf(json: unknown): Tokenizer {
  const parsed = v.safeParse(fileSchema, json);
  if (!parsed.success) throw new Unsupported('no tokenizer of that form');
  const normalise = normaliserOf(parsed.output.normalizer);
  const preTokenise = preTokeniserOf(parsed.output.pre_tokenizer);
  const { pieces, idMax } = modelOf(parsed.output.model);
  return { tokenise: (text) => preTokenise([normalise(text)]).flatMap(pieces), idMax };
}

const id = v.pipe(v.number(), v.integer(), v.minValue(0));
const fileSchema = v.object({
  normalizer: v.nullish(v.unknown()),
  pre_tokenizer: v.nullish(v.unknown()),
  model: v.unknown(),
});
const wordPieceSchema = v.object({
  // Files of old versions say it by their fields alone.
  type: v.optional(v.literal('WordPiece')),
  vocab: v.record(v.string(), id),
  unk_token: v.optional(v.string(), '[UNK]'),
  continuing_subword_prefix: v.optional(v.string(), '##'),
  max_input_chars_per_word: v.optional(id, 100),
});
const unigramSchema = v.object({
  type: v.optional(v.literal('Unigram')),
  vocab: v.array(v.tuple([v.string(), v.number()])),
  unk_id: v.nullish(id),
});

interface Model {
  readonly pieces: (word: string) => number[];
  readonly idMax: number;
}

function modelOf(json: unknown): Model {
  const word = v.safeParse(wordPieceSchema, json);
  if (word.success) {
    const { vocab, unk_token: unknown, continuing_subword_prefix: prefix } = word.output;
    const { vocabulary, idMax } = vocabularyOf(Object.entries(vocab).filter(([token]) => token !== unknown));
    const settings = { vocabulary, prefix, wordCharsMax: word.output.max_input_chars_per_word };
    return { pieces: (text) => wordPieces(text, settings), idMax };
  }
  const unigram = v.safeParse(unigramSchema, json);
  if (unigram.success) {
    const { vocab, unk_id: unknownId = null } = unigram.output;
    const { vocabulary, idMax } = vocabularyOf(vocab.map(([token], at) => [token, at]));
    const scores = unigramScores(Float64Array.from(vocab, ([, score]) => score));
    return { pieces: (text) => unigramPieces(text, { vocabulary, unknownId, ...scores }), idMax };
  }
  throw new Unsupported(`a model ${typeIn(json)} (WordPiece and Unigram are)`);
}

function vocabularyOf(tokens: readonly (readonly [string, number])[]): {
  vocabulary: Vocabulary;
  idMax: number;
} {
  let longest = 0;
  let idMax = -1;
  for (const [token, at] of tokens) {
    longest = Math.max(longest, token.length);
    idMax = Math.max(idMax, at);
  }
  return { vocabulary: { idOf: new Map(tokens), charsMax: Math.min(longest, tokenCharsMax) }, idMax };
}
