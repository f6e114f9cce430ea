import { createHash, type Hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import {
  embeddingDimensionMax,
  modelConfigBytesMax,
  modelTextCharsMax,
  modelTokensMax,
  tokenizerBytesMax,
  weightsBytesMax,
} from '../../limits.ts';
import { errorCode, messageOf } from '../../platform/index.ts';
import { Unsupported } from './normalise.ts';
import { readSafetensors, type Safetensors, type Tensor } from './safetensors.ts';
import { type Tokenizer, tokenizerOf } from './tokenizer.ts';
import { unusable } from './unusable.ts';

/** The files of a Model2Vec folder. */
export const modelFiles = ['config.json', 'tokenizer.json', 'model.safetensors'] as const;

/** Vectors of tokens, and how texts are cut into tokens. */
export interface StaticModel {
  readonly dim: number;
  /** 48 bits of the SHA-256 of the folder's files: another number for other weights. */
  readonly version: number;
  /** The mean of the vectors of the text's tokens at a length of 1; zeros for a text without a known token. */
  embed(text: string): Float32Array;
}

/**
 * Loads a folder in Model2Vec's format: a row of `embeddings` a token, times its `weights` where there are some, by way of
 * `mapping` where several tokens share a row. https://github.com/MinishLab/model2vec
 * @throws Failure `embed_model` naming file, fault and repair
 */
export function loadStaticModel(folder: string): StaticModel {
  const [config, tokens, weights] = modelFiles.map((name) => path.join(folder, name));
  const hash = createHash('sha256');
  json(config ?? '', modelConfigBytesMax, hash);
  const tokenizer = readTokenizer(tokens ?? '', hash);
  const table = readWeights(weights ?? '', tokenizer, hash);
  return {
    dim: table.dim,
    version: hash.digest().readUIntBE(0, 6),
    embed: (text) =>
      meanOf(table, tokenizer.tokenise(text.slice(0, modelTextCharsMax)).slice(0, modelTokensMax)),
  };
}

interface Table {
  readonly dim: number;
  readonly embeddings: Tensor;
  readonly weights: Tensor | null;
  readonly mapping: Tensor | null;
}

function meanOf({ dim, embeddings, weights, mapping }: Table, ids: readonly number[]): Float32Array {
  // The length is set to 1 in the end, so that the sum does for the mean.
  const sums = new Float64Array(dim);
  for (const id of ids) {
    const start = (mapping?.at(id) ?? id) * dim;
    const weight = weights?.at(id) ?? 1;
    for (let k = 0; k < dim; k++) sums[k] = (sums[k] ?? 0) + weight * embeddings.at(start + k);
  }
  const length = Math.hypot(...sums);
  // Numbers that are none, or beyond measure, say nothing of the text.
  if (length === 0 || !Number.isFinite(length)) return new Float32Array(dim);
  return Float32Array.from(sums, (value) => value / length);
}

function readTokenizer(file: string, hash: Hash): Tokenizer {
  const value = json(file, tokenizerBytesMax, hash);
  try {
    return tokenizerOf(value);
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
    throw unusable(file, `has ${error.message}, which is not supported`, error);
  }
}

function readWeights(file: string, tokenizer: Tokenizer, hash: Hash): Table {
  const descriptor = opened(file, weightsBytesMax);
  try {
    hashAll(descriptor, hash);
    return checkedTable(readSafetensors(descriptor, file), file, tokenizer.idMax);
  } finally {
    fs.closeSync(descriptor);
  }
}

function checkedTable(tensors: Safetensors, file: string, idMax: number): Table {
  const embeddings = tensors.tensor('embeddings');
  if (embeddings === null) throw unusable(file, 'has no tensor "embeddings": it is no Model2Vec model');
  const [rows = 0, dim = 0] = embeddings.shape;
  if (embeddings.shape.length !== 2 || dim < 1 || dim > embeddingDimensionMax) {
    throw unusable(file, `has embeddings of the shape [${embeddings.shape.join(', ')}]`);
  }
  const weights = tensors.tensor('weights');
  const mapping = tensors.tensor('mapping');
  const known = Math.min(mapping?.shape[0] ?? rows, weights?.shape[0] ?? Number.POSITIVE_INFINITY);
  if (idMax >= known) {
    throw unusable(
      file,
      `has vectors for ${known} tokens, and tokenizer.json has more: they are not of one model`,
    );
  }
  for (let id = 0; mapping !== null && id < known; id++) {
    const row = mapping.at(id);
    if (!(row >= 0 && row < rows)) throw unusable(file, `maps token ${id} to row ${row} of ${rows}`);
  }
  return { dim, embeddings, weights, mapping };
}

function json(file: string, bytesMax: number, hash: Hash): unknown {
  const descriptor = opened(file, bytesMax);
  try {
    const text = fs.readFileSync(descriptor, 'utf8');
    hash.update(text);
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw unusable(file, 'is no valid JSON', error);
    throw error;
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Opens a file that is not over its limit. */
function opened(file: string, bytesMax: number): number {
  let descriptor: number;
  try {
    descriptor = fs.openSync(file, 'r');
  } catch (error) {
    const what = errorCode(error) === 'ENOENT' ? 'is not there' : `cannot be read: ${messageOf(error)}`;
    throw unusable(file, what, error);
  }
  const stat = fs.fstatSync(descriptor);
  if (stat.isFile() && stat.size <= bytesMax) return descriptor;
  fs.closeSync(descriptor);
  throw unusable(file, stat.isFile() ? `is larger than ${Math.round(bytesMax / 2 ** 20)} MiB` : 'is no file');
}

function hashAll(descriptor: number, hash: Hash): void {
  const chunk = Buffer.alloc(chunkBytes);
  for (let at = 0; ; ) {
    const count = fs.readSync(descriptor, chunk, 0, chunk.length, at);
    if (count === 0) return;
    hash.update(chunk.subarray(0, count));
    at += count;
  }
}

const chunkBytes = 1024 * 1024;
