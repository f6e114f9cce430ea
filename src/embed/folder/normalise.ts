import * as v from 'valibot';

/** Text -> text, before it is cut into words. */
export type Normalise = (text: string) => string;

/** The reader of a part of `tokenizer.json` met something that it does not know. */
export class Unsupported extends Error {}

/**
 * The `normalizer` of a `tokenizer.json`.
 * https://huggingface.co/docs/tokenizers/api/normalizers
 * @throws Unsupported naming a type that is not known here
 */
export function normaliserOf(json: unknown): Normalise {
  if (json === null || json === undefined) return (text) => text;
  const parsed = v.safeParse(schema, json);
  if (!parsed.success) throw new Unsupported(`a normalizer ${typeIn(json)}`);
  const spec = parsed.output;
  switch (spec.type) {
    case 'Sequence':
      return inTurn(spec.normalizers.map(normaliserOf));
    case 'BertNormalizer':
      return bert(spec);
    case 'Lowercase':
      return (text) => text.toLowerCase();
    case 'NFC':
    case 'NFD':
    case 'NFKC':
    case 'NFKD':
      return (text) => text.normalize(spec.type);
    case 'StripAccents':
      return withoutMarks;
    case 'Strip':
      return stripped(spec.strip_left, spec.strip_right);
    case 'Prepend':
      return (text) => (text === '' ? text : spec.prepend + text);
    case 'Replace':
      return replaced(spec.pattern, spec.content);
    case 'Precompiled':
      // SentencePiece's own table of characters; its usual content (`nmt_nfkc`) is NFKC, and spaces for all white space.
      return (text) => text.normalize('NFKC').replace(/\s/gu, ' ');
  }
}

/** `of type "X"`, for the words of a refusal. */
export function typeIn(json: unknown): string {
  const typed = v.safeParse(v.object({ type: v.string() }), json);
  return typed.success ? `of type "${typed.output.type.slice(0, 40)}"` : 'without a type';
}

const patternSchema = v.union([v.object({ String: v.string() }), v.object({ Regex: v.string() })]);

const bertSchema = v.object({
  type: v.literal('BertNormalizer'),
  clean_text: v.optional(v.boolean(), true),
  handle_chinese_chars: v.optional(v.boolean(), true),
  strip_accents: v.nullish(v.boolean()),
  lowercase: v.optional(v.boolean(), true),
});

const schema = v.variant('type', [
  bertSchema,
  v.object({ type: v.literal('Sequence'), normalizers: v.array(v.unknown()) }),
  v.object({ type: v.picklist(['Lowercase', 'NFC', 'NFD', 'NFKC', 'NFKD', 'StripAccents', 'Precompiled']) }),
  v.object({
    type: v.literal('Strip'),
    strip_left: v.optional(v.boolean(), true),
    strip_right: v.optional(v.boolean(), true),
  }),
  v.object({ type: v.literal('Prepend'), prepend: v.string() }),
  v.object({ type: v.literal('Replace'), pattern: patternSchema, content: v.string() }),
]);

/** As BERT's: https://github.com/google-research/bert/blob/master/tokenization.py, `BasicTokenizer`. */
function bert(spec: v.InferOutput<typeof bertSchema>): Normalise {
  const steps: Normalise[] = [];
  if (spec.clean_text) {
    steps.push((text) =>
      text.replace(/(?![\t\n\r])[\p{Cc}\p{Cf}\p{Cn}\p{Co}\ufffd]/gu, '').replace(/\s/gu, ' '),
    );
  }
  if (spec.handle_chinese_chars) steps.push((text) => text.replace(ideographs, ' $& '));
  // Left open, it follows the case.
  if (spec.strip_accents ?? spec.lowercase) steps.push((text) => withoutMarks(text.normalize('NFD')));
  if (spec.lowercase) steps.push((text) => text.toLowerCase());
  return inTurn(steps);
}

/** The CJK ideographs; kana and hangul are words between spaces here. */
const ideographs =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;

function inTurn(steps: readonly Normalise[]): Normalise {
  return (text) => steps.reduce((result, step) => step(result), text);
}

function withoutMarks(text: string): string {
  return text.replace(/\p{Mn}/gu, '');
}

function stripped(left: boolean, right: boolean): Normalise {
  return (text) => {
    const start = left ? text.trimStart() : text;
    return right ? start.trimEnd() : start;
  };
}

function replaced(pattern: v.InferOutput<typeof patternSchema>, content: string): Normalise {
  if ('String' in pattern) return (text) => text.replaceAll(pattern.String, () => content);
  let regex: RegExp;
  try {
    regex = new RegExp(pattern.Regex, 'gu');
  } catch (error) {
    throw new Unsupported(`the regular expression ${JSON.stringify(pattern.Regex.slice(0, 80))}`, {
      cause: error,
    });
  }
  return (text) => text.replace(regex, () => content);
}
