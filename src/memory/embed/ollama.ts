import * as v from 'valibot';
import { parseJson } from '../../core/event/index.ts';
import {
  askPatiently,
  isRefusal,
  ollamaErrorWords,
  ollamaProvider,
  ollamaShapeWords,
  probeOllama,
  type RetryPolicy,
  retryPolicy,
} from '../../core/model/index.ts';
import { Failure } from '../../core/platform/index.ts';

const embedTimeoutMs = 30_000;
export const ollamaEmbedBatchMax = 32;
const embeddingDimensionMax = 8_192;

export interface OllamaEmbedderSettings {
  /** Base address of Ollama's HTTP API. */
  readonly endpoint: string;
  readonly model: string;
  /** How many numbers a vector must have; when left out, as many as the first one. */
  readonly dim?: number;
  readonly timeoutMs?: number;
  readonly retries?: RetryPolicy;
}

export interface OllamaEmbedder {
  /** `ollama:<model>` */
  readonly name: string;
  /**
   * One vector a text, in order, all of one dimension and none zero. Rejects with a `Failure` in the API's or the network's words,
   * `embed_refused` or `embed_malformed` where a text may be at fault, else `embed_outage`;
   * what was asked for is then not embedded, nothing else has changed.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
  /** Null when the runtime is there, else why not. Cheap. */
  unavailable(signal: AbortSignal): Promise<string | null>;
}

/** Embeddings by the local runtime, through Ollama's `/api/embed`, `ollamaEmbedBatchMax` texts a call. */
export function ollamaEmbedder(settings: OllamaEmbedderSettings): OllamaEmbedder {
  // The first answer fixes the dimension: a model changed under its name must not mix with its former self.
  let dimension = settings.dim ?? null;
  return {
    name: `ollama:${settings.model}`,
    embed: async (texts, signal) => {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += ollamaEmbedBatchMax) {
        const batch = texts.slice(at, at + ollamaEmbedBatchMax);
        const found = await embedBatch(settings, batch, signal);
        for (const vector of found) {
          dimension ??= vector.length;
          if (vector.length !== dimension)
            throw malformed(`vectors of ${vector.length} and of ${dimension} numbers`);
        }
        vectors.push(...found);
      }
      return vectors;
    },
    unavailable: async (signal) => {
      const found = await probeOllama(settings.endpoint, signal);
      return found.state === 'ready' ? null : found.error;
    },
  };
}

/** https://github.com/ollama/ollama/blob/main/docs/api.md, `POST /api/embed`: what is read of a reply. */
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
    // A vector of NaN is no JSON to the runtime, and a 500.
    const isTextsOwn = isRefusal(reply.status) || reply.status === 500;
    const words = ollamaErrorWords(reply.status, reply.text, model);
    throw new Failure(isTextsOwn ? 'embed_refused' : 'embed_outage', words);
  }
  const parsed = v.safeParse(embedReply, parseJson(reply.text));
  if (!parsed.success) throw new Failure('embed_malformed', ollamaShapeWords(reply.text));
  const { embeddings } = parsed.output;
  if (embeddings.length !== texts.length) {
    throw malformed(`${embeddings.length} vectors for ${texts.length} texts`);
  }
  return embeddings.map(checked);
}

function checked(numbers: readonly number[]): Float32Array {
  if (numbers.length === 0 || numbers.length > embeddingDimensionMax) {
    throw malformed(`a vector of ${numbers.length} numbers`);
  }
  const vector = Float32Array.from(numbers);
  // A zero vector has no direction and a number beyond float32 no value: neither has a cosine.
  if (vector.every((value) => value === 0)) throw malformed('a vector of zeros');
  if (!vector.every(Number.isFinite)) throw malformed('a vector with numbers out of range');
  return vector;
}

function malformed(what: string): Failure {
  return new Failure('embed_malformed', `${ollamaProvider} API error: 200 with ${what}`);
}
