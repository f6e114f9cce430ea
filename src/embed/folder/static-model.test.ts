import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import {
  bertTokenizer,
  floats,
  newFolder,
  safetensors,
  smallTokens,
  smallVectors,
} from './folder-for-tests.ts';
import { loadStaticModel } from './static-model.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

function load(files: Parameters<typeof newFolder>[0] = {}) {
  const made = newFolder(files);
  ends.push(made.remove);
  return loadStaticModel(made.folder);
}

/** `numbers` at a length of 1, as float32. */
function direction(...numbers: number[]): Float32Array {
  return Float32Array.from(numbers, (one) => one / Math.hypot(...numbers));
}

test('a vector is the mean of those of the tokens, at a length of 1', () => {
  const model = load();
  expect(model.dim).toBe(3);
  // cache + redis; time + ##out + ##s + the full stop; Café without its accent; an unknown word counts for nothing.
  expect(model.embed('Redis cache')).toEqual(direction(1, 1, 0));
  expect(model.embed('timeouts.')).toEqual(direction(0, 3, 1 + 2 + 0 + 4));
  expect(model.embed('CAFÉ quokka')).toEqual(direction(1, 1, 0));
  expect(model.embed('修')).toEqual(direction(0, 0, -1));
  expect(model.embed('cache cache redis')).toEqual(direction(2, 1, 0));
  expect(model.embed('quokka')).toEqual(Float32Array.of(0, 0, 0));
});

test('of a long text only as many tokens as the format reads', () => {
  const model = load();
  expect(model.embed(`${'cache '.repeat(512)}redis`)).toEqual(direction(1, 0, 0));
});

test('half precision gives the same as far as it reaches', () => {
  const bits = [0x0000, 0x3c00, 0xbc00, 0x3555, 0x0001, 0x7bff];
  const halves = { dtype: 'F16', shape: [3, 2], data: new Uint8Array(Uint16Array.from(bits).buffer) };
  const tokens = JSON.stringify(bertTokenizer(['[UNK]', 'a', 'b']));
  const model = load({ 'tokenizer.json': tokens, 'model.safetensors': safetensors({ embeddings: halves }) });
  // -1 and 0.333251953125; the least there is, 2^-24, and the most, 65504.
  expect(model.embed('a')).toEqual(direction(-1, 0.333251953125));
  expect(model.embed('b')).toEqual(direction(2 ** -24, 65504));
});

test('weights and a mapping of tokens to rows are heeded', () => {
  const mapping = { dtype: 'I64', shape: [3], data: new Uint8Array(BigInt64Array.of(0n, 1n, 1n).buffer) };
  const weights = { dtype: 'F64', shape: [3], data: new Uint8Array(Float64Array.of(1, 2, 4).buffer) };
  const embeddings = floats([2, 2], [5, 5, 1, 0]);
  const files = {
    'tokenizer.json': JSON.stringify(bertTokenizer(['[UNK]', 'a', 'b'])),
    'model.safetensors': safetensors({ embeddings, weights, mapping }),
  };
  expect(load(files).embed('b')).toEqual(direction(1, 0));
  const two = floats([3, 2], [0, 0, 1, 0, 0, 1]);
  expect(
    load({ ...files, 'model.safetensors': safetensors({ embeddings: two, weights }) }).embed('a b'),
  ).toEqual(direction(2, 4));
});

test('other weights or another tokenizer are another version; the same files are the same', () => {
  const plain = load().version;
  expect(load().version).toBe(plain);
  expect(Number.isSafeInteger(plain)).toBe(true);
  const other = smallVectors.map((value) => -value);
  expect(load({ 'model.safetensors': safetensors({ embeddings: floats([9, 3], other) }) }).version).not.toBe(
    plain,
  );
  const renamed = smallTokens.with(1, 'cash');
  expect(load({ 'tokenizer.json': JSON.stringify(bertTokenizer(renamed)) }).version).not.toBe(plain);
});

const whole = safetensors({ embeddings: floats([9, 3], smallVectors) });
const cut = (from: Buffer) => from.subarray(0, from.length - 4);
const header = (json: string) => {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  return Buffer.concat([length, Buffer.from(json)]);
};

test.each<[string, Parameters<typeof newFolder>[0], RegExp]>([
  ['no weights', { 'model.safetensors': null }, /model\.safetensors is not there/],
  ['no tokenizer', { 'tokenizer.json': null }, /tokenizer\.json is not there/],
  ['no config', { 'config.json': null }, /config\.json is not there/],
  ['a config that is no JSON', { 'config.json': '{' }, /config\.json is no valid JSON/],
  ['a tokenizer that is no JSON', { 'tokenizer.json': 'x' }, /tokenizer\.json is no valid JSON/],
  [
    'a tokenizer of another kind',
    { 'tokenizer.json': '{"model": {"type": "BPE"}}' },
    /has a model of type "BPE"/,
  ],
  ['an empty file', { 'model.safetensors': '' }, /has no safetensors header/],
  ['a web page', { 'model.safetensors': '<html>not found</html>' }, /has no safetensors header/],
  ['a header that is no JSON', { 'model.safetensors': header('{{') }, /has a header that is no JSON/],
  ['a header that is a list', { 'model.safetensors': header('[1]') }, /has no tensor "embeddings"/],
  ['cut weights', { 'model.safetensors': cut(whole) }, /is cut: "embeddings" is not whole/],
  [
    'other tensors',
    { 'model.safetensors': safetensors({ layer: floats([1], [1]) }) },
    /has no tensor "embeddings": it is no Model2Vec model/,
  ],
  [
    'a flat tensor',
    { 'model.safetensors': safetensors({ embeddings: floats([27], smallVectors) }) },
    /of the shape \[27\]/,
  ],
  [
    'an unknown type',
    { 'model.safetensors': safetensors({ embeddings: { ...floats([9, 3], smallVectors), dtype: 'BF16' } }) },
    /holds "embeddings" as BF16/,
  ],
  [
    'offsets that are none',
    { 'model.safetensors': header('{"embeddings": {"dtype": "F32", "shape": [1, 1], "data_offsets": [0]}}') },
    /in a way that is not safetensors'/,
  ],
  [
    'fewer vectors than tokens',
    { 'model.safetensors': safetensors({ embeddings: floats([2, 3], [1, 2, 3, 4, 5, 6]) }) },
    /vectors for 2 tokens, and tokenizer\.json has more/,
  ],
  [
    'a mapping to rows that are not there',
    {
      'model.safetensors': safetensors({
        embeddings: floats([9, 3], smallVectors),
        mapping: {
          dtype: 'I32',
          shape: [9],
          data: new Uint8Array(Int32Array.of(0, 1, 2, 3, 4, 5, 6, 7, 9).buffer),
        },
      }),
    },
    /maps token 8 to row 9 of 9/,
  ],
])('%s: refused with path, fault and repair', (_, files, words) => {
  expect(() => load(files)).toThrow(words);
  expect(() => load(files)).toThrow(
    /^embed\.modelPath: \/.*small-model\/.*; .*; put a whole Model2Vec folder there/s,
  );
});

test('no bytes at all bring down the reader with anything but a refusal', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.nat(whole.length), (bytes, at) => {
      const broken = Buffer.concat([
        whole.subarray(0, at),
        Buffer.from(bytes),
        whole.subarray(at + bytes.length),
      ]);
      const made = newFolder({ 'model.safetensors': broken });
      try {
        loadStaticModel(made.folder).embed('redis');
      } catch (error) {
        expect(error).toMatchObject({ code: 'embed_model' });
      } finally {
        made.remove();
      }
    }),
  );
});
