import * as v from 'valibot';
import { typeIn, Unsupported } from './normalise.ts';

/** Pieces -> smaller pieces, in order; a tokenizer's model then looks at each alone. */
export type PreTokenise = (pieces: readonly string[]) => string[];

/**
 * The `pre_tokenizer` of a `tokenizer.json`.
 * https://huggingface.co/docs/tokenizers/api/pre-tokenizers
 * @throws Unsupported naming a type that is not known here
 */
export function preTokeniserOf(json: unknown): PreTokenise {
  if (json === null || json === undefined) return (pieces) => [...pieces];
  const parsed = v.safeParse(schema, json);
  if (!parsed.success) throw new Unsupported(`a pre_tokenizer ${typeIn(json)}`);
  const spec = parsed.output;
  switch (spec.type) {
    case 'Sequence':
      return inTurn(spec.pretokenizers.map(preTokeniserOf));
    case 'BertPreTokenizer':
      return (pieces) => pieces.flatMap((piece) => piece.match(bertPieces) ?? []);
    case 'Whitespace':
      return (pieces) => pieces.flatMap((piece) => piece.match(wordsAndSigns) ?? []);
    case 'WhitespaceSplit':
      return (pieces) => pieces.flatMap((piece) => piece.match(/\S+/gu) ?? []);
    case 'Punctuation':
      if (spec.behavior !== 'Isolated') throw new Unsupported(`a Punctuation of behavior "${spec.behavior}"`);
      return (pieces) => pieces.flatMap((piece) => piece.match(signsAlone) ?? []);
    case 'Metaspace':
      return metaspace(spec);
  }
}

const metaspaceSchema = v.object({
  type: v.literal('Metaspace'),
  replacement: v.optional(v.string(), '\u2581'),
  prepend_scheme: v.optional(v.picklist(['always', 'never', 'first'])),
  add_prefix_space: v.optional(v.boolean(), true),
  split: v.optional(v.boolean(), true),
});

const schema = v.variant('type', [
  metaspaceSchema,
  v.object({ type: v.literal('Sequence'), pretokenizers: v.array(v.unknown()) }),
  v.object({ type: v.picklist(['BertPreTokenizer', 'Whitespace', 'WhitespaceSplit']) }),
  v.object({ type: v.literal('Punctuation'), behavior: v.optional(v.string(), 'Isolated') }),
]);

/** What BERT takes for punctuation: all signs of ASCII, and Unicode's punctuation. */
const sign = '[!-/:-@\\[-`{-~\\p{P}]';
const bertPieces = new RegExp(`${sign}|(?:(?!${sign})\\S)+`, 'gu');
const signsAlone = new RegExp(`${sign}|(?:(?!${sign})[\\s\\S])+`, 'gu');
const wordsAndSigns = /[\p{L}\p{M}\p{N}\p{Pc}]+|[^\p{L}\p{M}\p{N}\p{Pc}\s]+/gu;

function inTurn(steps: readonly PreTokenise[]): PreTokenise {
  return (pieces) => steps.reduce((result, step) => step(result), [...pieces]);
}

/** Spaces become a letter of their own; a piece begins with it wherever one was. */
function metaspace(spec: v.InferOutput<typeof metaspaceSchema>): PreTokenise {
  const { replacement, split } = spec;
  const scheme = spec.prepend_scheme ?? (spec.add_prefix_space ? 'always' : 'never');
  return (pieces) =>
    pieces.flatMap((piece, at) => {
      if (piece === '') return [];
      const joined = piece.replaceAll(' ', replacement);
      const prepends = scheme === 'always' || (scheme === 'first' && at === 0);
      const whole = prepends && !joined.startsWith(replacement) ? replacement + joined : joined;
      return split ? beginningWith(replacement, whole) : [whole];
    });
}

function beginningWith(replacement: string, text: string): string[] {
  const [first = '', ...others] = text.split(replacement);
  const pieces = others.map((other) => replacement + other);
  return first === '' ? pieces : [first, ...pieces];
}
