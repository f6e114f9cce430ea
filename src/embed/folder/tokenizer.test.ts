import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bertTokenizer } from './folder-for-tests.ts';
import { normaliserOf, Unsupported } from './normalise.ts';
import { preTokeniserOf } from './pre-tokenise.ts';
import { tokenizerOf } from './tokenizer.ts';

const vocabulary = [
  '[UNK]',
  'un',
  '##aff',
  '##able',
  'a',
  '##b',
  'ab',
  'é',
  'e',
  '修',
  '复',
  '!',
  '##!',
  'x',
  '##xy',
];
const bert = tokenizerOf(bertTokenizer(vocabulary));
const tokensOf = (text: string) => bert.tokenise(text).map((id) => vocabulary[id]);

describe('WordPiece', () => {
  test.each<[string, string[]]>([
    ['unaffable', ['un', '##aff', '##able']],
    ['UN  Affable', ['un']],
    ['ab a', ['ab', 'a']],
    ['abb', ['ab', '##b']],
    ['É', ['e']],
    ['修复!', ['修', '复', '!']],
    ['a!x', ['a', '!', 'x']],
    ['xxy', ['x', '##xy']],
    ['a\u0000\u200bb', ['ab']],
    ['a\tb', ['a']],
    ['', []],
    ['zzz', []],
  ])('%j', (text, tokens) => {
    expect(tokensOf(text)).toEqual(tokens);
  });

  test('a word beyond its limit is not known, and holds nothing up', () => {
    expect(tokensOf('ab'.repeat(51))).toEqual([]);
    expect(tokensOf('a'.repeat(1_000_000))).toEqual([]);
  });
});

const pieces: [string, number][] = [
  ['<unk>', 0],
  ['▁', -3],
  ['a', -4],
  ['b', -4],
  ['c', -4],
  ['ab', -5],
  ['bc', -3],
  ['▁abc', -8.5],
  ['😀', -5],
];

function unigram(more: object = {}): (text: string) => string[] {
  const tokenizer = tokenizerOf({
    normalizer: null,
    pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
    model: { type: 'Unigram', unk_id: 0, vocab: pieces },
    ...more,
  });
  return (text) => tokenizer.tokenise(text).map((id) => pieces[id]?.[0] ?? '');
}

describe('Unigram', () => {
  test.each<[string, string[]]>([
    // ▁abc -8.5 against ▁ a bc -10 and ▁ ab c -12
    ['abc', ['▁abc']],
    ['abc bc', ['▁abc', '▁', 'bc']],
    // ab -5 against a b -8
    ['ab', ['▁', 'ab']],
    ['aqb', ['▁', 'a', 'b']],
    ['😀a', ['▁', '😀', 'a']],
    ['', []],
  ])('%j', (text, tokens) => {
    expect(unigram()(text)).toEqual(tokens);
  });

  test('finds the likeliest of all ways to cut a text', () => {
    const scoreOf = new Map(pieces);
    const best = (text: string): number =>
      text === ''
        ? 0
        : Math.max(
            ...pieces
              .slice(1)
              .flatMap(([piece, score]) =>
                text.startsWith(piece) ? [score + best(text.slice(piece.length))] : [],
              ),
          );
    const plain = unigram({ pre_tokenizer: null });
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', 'c', '▁', '😀'), maxLength: 9 }), (text) => {
        const found = plain(text);
        expect(found.join('')).toBe(text);
        const score = found.reduce((sum, piece) => sum + (scoreOf.get(piece) ?? Number.NaN), 0);
        expect(score).toBeCloseTo(best(text), 9);
      }),
    );
  });
});

describe('normalizers', () => {
  test.each<[object | null, string, string]>([
    [null, 'Ab ', 'Ab '],
    [{ type: 'Lowercase' }, 'ÀB', 'àb'],
    [{ type: 'NFKC' }, 'ﬁ', 'fi'],
    [{ type: 'Sequence', normalizers: [{ type: 'NFD' }, { type: 'StripAccents' }] }, 'éa', 'ea'],
    [{ type: 'Strip', strip_left: false, strip_right: true }, ' a ', ' a'],
    [{ type: 'Prepend', prepend: '▁' }, 'a', '▁a'],
    [{ type: 'Replace', pattern: { String: '.' }, content: ' . ' }, 'a.b', 'a . b'],
    [{ type: 'Replace', pattern: { Regex: '\\s+' }, content: '$&' }, 'a  b', 'a$&b'],
    [{ type: 'Precompiled', precompiled_charsmap: 'AA==' }, 'ｒ\ts', 'r s'],
    [{ type: 'BertNormalizer', lowercase: false }, 'É', 'É'],
    [{ type: 'BertNormalizer', lowercase: false, strip_accents: true }, 'É', 'E'],
  ])('%j', (json, text, normal) => {
    expect(normaliserOf(json)(text)).toBe(normal);
  });

  test('what is not known is named', () => {
    expect(() => normaliserOf({ type: 'Nmt' })).toThrow(new Unsupported('a normalizer of type "Nmt"'));
    expect(() => normaliserOf({ type: 'Replace', pattern: { Regex: '(' }, content: '' })).toThrow(
      Unsupported,
    );
    expect(() => preTokeniserOf({ type: 'ByteLevel' })).toThrow(
      new Unsupported('a pre_tokenizer of type "ByteLevel"'),
    );
    expect(() => tokenizerOf({ model: { type: 'BPE', vocab: {}, merges: [] } })).toThrow(
      new Unsupported('a model of type "BPE" (WordPiece and Unigram are)'),
    );
    expect(() => tokenizerOf([])).toThrow(Unsupported);
  });
});

describe('pre-tokenizers', () => {
  test.each<[object | null, string, string[]]>([
    [null, 'a b', ['a b']],
    [{ type: 'BertPreTokenizer' }, 'a.b  c$', ['a', '.', 'b', 'c', '$']],
    [{ type: 'Whitespace' }, 'a_b.. c', ['a_b', '..', 'c']],
    [{ type: 'WhitespaceSplit' }, 'a.b c', ['a.b', 'c']],
    [{ type: 'Punctuation' }, 'a b,c', ['a b', ',', 'c']],
    [{ type: 'Metaspace', prepend_scheme: 'always', split: false }, 'a b', ['▁a▁b']],
    [{ type: 'Metaspace', prepend_scheme: 'never' }, 'a b', ['a', '▁b']],
    [{ type: 'Metaspace', add_prefix_space: true }, 'a b', ['▁a', '▁b']],
    [
      {
        type: 'Sequence',
        pretokenizers: [{ type: 'WhitespaceSplit' }, { type: 'Metaspace', prepend_scheme: 'first' }],
      },
      'a b',
      ['▁a', 'b'],
    ],
  ])('%j', (json, text, expected) => {
    expect(preTokeniserOf(json)([text])).toEqual(expected);
  });
});

test('any text can be cut, and gives ids that there are', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      for (const id of bert.tokenise(text)) expect(vocabulary[id]).toBeDefined();
      unigram()(text);
    }),
  );
});
