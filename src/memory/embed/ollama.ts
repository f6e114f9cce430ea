import * as v from 'valibot';
import { parseJson } from '#core/event';
import {
  askPatiently,
  isRefusal,
  type ModelAccess,
  ollamaErrorWords,
  ollamaProvider,
  ollamaShapeWords,
  retryPolicy,
} from '#core/model';
import { Failure } from '#core/platform';

const embedTimeoutMs = 30_000;
export const ollamaEmbedBatchMax = 32;
const embeddingDimensionMax = 8_192;

export interface OllamaEmbedderSettings extends ModelAccess {
  /** The dimension of every vector; when left out, that of the first one. */
  readonly dim?: number;
}

export interface OllamaEmbedder {
  readonly name: string;
  /**
   * One vector for each text, in order, all of one dimension and none zero. Rejects with a `Failure` in the API's or the
   * network's words: `embed_refused` or `embed_malformed` if a text may be at fault, else `embed_outage`.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
}

export function ollamaName(model: string): string {
  return `${ollamaProvider}:${model}`;
}

/** Embeddings by the local runtime, through Ollama's `/api/embed`, `ollamaEmbedBatchMax` texts a call. */
export function ollamaEmbedder(settings: OllamaEmbedderSettings): OllamaEmbedder {
  // The first answer fixes the dimension: vectors of a model that changed under its name must not mix.
  let dimension = settings.dim ?? null;
  return {
    name: ollamaName(settings.model),
    embed: async (texts, signal) => {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += ollamaEmbedBatchMax)
        vectors.push(...(await embedBatch(settings, texts.slice(at, at + ollamaEmbedBatchMax), signal)));
      for (const { length } of vectors) {
        dimension ??= length;
        if (length !== dimension) throw malformed(`vectors of ${length} and of ${dimension} numbers`);
      }
      return vectors;
    },
  };
}

/** https://github.com/ollama/ollama/blob/main/docs/api.md, `POST /api/embed`: the fields that are read. */
const embedReply = v.object({ embeddings: v.array(v.array(v.pipe(v.number(), v.finite()))) });

async function embedBatch(
  { endpoint, model, timeoutMs = embedTimeoutMs, retries = retryPolicy }: OllamaEmbedderSettings,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const body = { model, input: texts, truncate: true, keep_alive: '5m' };
  const reply = await askPatiently({ base: endpoint, path: '/api/embed', body, timeoutMs }, signal, retries);
  if (reply.kind === 'silent') throw new Failure('embed_outage', reply.error);
  if (reply.status !== 200) {
    // The runtime answers 500 for a vector of NaN, which JSON cannot express.
    const isTextsOwn = isRefusal(reply.status) || reply.status === 500;
    const words = ollamaErrorWords(reply.status, reply.text, model);
    throw new Failure(isTextsOwn ? 'embed_refused' : 'embed_outage', words);
  }
  const parsed = v.safeParse(embedReply, parseJson(reply.text));
  if (!parsed.success) throw new Failure('embed_malformed', ollamaShapeWords(reply.text));
  const { embeddings } = parsed.output;
  if (embeddings.length !== texts.length)
    throw malformed(`${embeddings.length} vectors for ${texts.length} texts`);
  return embeddings.map(checked);
}

function checked(numbers: readonly number[]): Float32Array {
  if (numbers.length === 0 || numbers.length > embeddingDimensionMax)
    throw malformed(`a vector of ${numbers.length} numbers`);
  const vector = Float32Array.from(numbers);
  // Neither a zero vector nor a number beyond float32 has a cosine.
  if (vector.every((value) => value === 0)) throw malformed('a vector of zeros');
  if (!vector.every(Number.isFinite)) throw malformed('a vector with numbers out of range');
  return vector;
}

function malformed(what: string): Failure {
  return new Failure('embed_malformed', `${ollamaProvider} API error: 200 with ${what}`);
}
