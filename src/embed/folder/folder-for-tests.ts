import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** What a test puts into a tensor: `data` holds the bytes. */
export interface TestTensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data: Uint8Array;
}

export function floats(shape: readonly number[], values: readonly number[]): TestTensor {
  return { dtype: 'F32', shape, data: new Uint8Array(Float32Array.from(values).buffer) };
}

/** The bytes of a safetensors file. */
export function safetensors(tensors: Readonly<Record<string, TestTensor>>): Buffer {
  let at = 0;
  const header: Record<string, unknown> = { __metadata__: { format: 'np' } };
  for (const [name, { dtype, shape, data }] of Object.entries(tensors)) {
    header[name] = { dtype, shape, data_offsets: [at, at + data.length] };
    at += data.length;
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, ...Object.values(tensors).map(({ data }) => data)]);
}

/** A BERT-like `tokenizer.json` of these tokens, in the order of their ids. */
export function bertTokenizer(tokens: readonly string[]): object {
  return {
    version: '1.0',
    added_tokens: [],
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: null,
    decoder: null,
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
    },
  };
}

export const smallTokens = ['[UNK]', 'cache', 'redis', 'time', '##out', '##s', '.', 'cafe', '修'];
/** A vector of three numbers a token. */
export const smallVectors = [
  9, 9, 9, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 3, 4, 1, 1, 0, 0, 0, -5,
];

/** A folder of weights in a temporary place; more files or other contents by `files`. */
export function newFolder(files: Readonly<Record<string, string | Uint8Array | null>> = {}): {
  readonly folder: string;
  readonly write: (name: string, content: string | Uint8Array) => void;
  readonly remove: () => void;
} {
  const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-weights-'));
  const folder = path.join(parent, 'small-model');
  fs.mkdirSync(folder);
  const write = (name: string, content: string | Uint8Array) =>
    fs.writeFileSync(path.join(folder, name), content);
  const contents = {
    'config.json': JSON.stringify({ model_type: 'model2vec', normalize: true }),
    'tokenizer.json': JSON.stringify(bertTokenizer(smallTokens)),
    'model.safetensors': safetensors({ embeddings: floats([smallTokens.length, 3], smallVectors) }),
    ...files,
  };
  for (const [name, content] of Object.entries(contents)) if (content !== null) write(name, content);
  return { folder, write, remove: () => fs.rmSync(parent, { recursive: true }) };
}

/** The model thread's bundle, as `scripts/build.mjs` makes it: a thread cannot be started from TypeScript. */
export async function buildModelWorker(): Promise<{ readonly script: URL; remove(): void }> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-worker-'));
  const outfile = path.join(folder, 'embed.cjs');
  await build({
    entryPoints: [fileURLToPath(new URL('./worker.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['@photostructure/sqlite'],
    outfile,
  });
  return { script: pathToFileURL(outfile), remove: () => fs.rmSync(folder, { recursive: true }) };
}
