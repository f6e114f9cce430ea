import { Failure } from '../../platform/index.ts';

/** A folder of weights that cannot be used, in words: what is wrong with which file, and what to do. */
export function unusable(file: string, what: string, cause?: unknown): Failure {
  return new Failure('embed_model', `embed.modelPath: ${file} ${what}`, {
    safe: 'a weaker embedder is used meanwhile',
    repair:
      'put a whole Model2Vec folder there (config.json, tokenizer.json, model.safetensors), or remove embed.modelPath',
    cause,
  });
}
