import * as v from 'valibot';
import {
  localBatchMax,
  localContextTokens,
  localPromptTokensMax,
  summariseTimeoutMs,
  summaryTokensMax,
} from '../limits.ts';
import {
  askPatiently,
  ollamaErrorWords,
  ollamaLacks,
  ollamaShapeWords,
  type Probe,
  parseJson,
  probeOllama,
  publicAddress,
  type Reply,
  type RetryPolicy,
  retryPolicy,
} from '../model/index.ts';
import { readAnswers } from './answers.ts';
import type { Backend, BatchOutcome, RawEvent } from './backend.ts';
import { outageOf } from './outage.ts';
import { answerSchema, promptFor } from './prompt.ts';

export interface LocalSettings {
  /** Base address of Ollama's HTTP API, e.g. `http://localhost:11434`. */
  readonly endpoint: string;
  readonly model: string;
  readonly timeoutMs?: number;
  readonly retries?: RetryPolicy;
}

export interface LocalBackend extends Backend {
  /** The base address as it may be shown. */
  readonly endpoint: string;
  /** Whether the runtime is there and has the model; see `Probe`. */
  probe(signal: AbortSignal, timeoutMs?: number): Promise<Probe>;
}

/**
 * Summaries by a model on the developer's machine, through Ollama's `/api/chat`. A batch that times out halves the
 * next ones, since a slow machine would else never finish any; one that succeeds lets them grow again.
 */
export function localBackend(settings: LocalSettings): LocalBackend {
  const { endpoint, model, timeoutMs = summariseTimeoutMs, retries = retryPolicy } = settings;
  let batchMax = localBatchMax;
  const probe = async (signal: AbortSignal, probeMs?: number): Promise<Probe> => {
    const found = await probeOllama(endpoint, signal, probeMs);
    if (found.state !== 'ready') return found;
    const lacks = await ollamaLacks(endpoint, model, signal, probeMs);
    return lacks === null ? found : { state: 'lacking', error: lacks };
  };
  return {
    name: 'local',
    model,
    endpoint: publicAddress(endpoint),
    get batchMax() {
      return batchMax;
    },
    probe,
    unavailable: async (signal) => {
      const found = await probe(signal);
      return found.state === 'ready' ? null : found.error;
    },
    summarise: async (events, signal) => {
      const question = { base: endpoint, path: '/api/chat', body: chatBody(model, events), timeoutMs };
      const reply = await askPatiently(question, signal, retries);
      batchMax = nextBatchMax(batchMax, events.length, reply);
      return outcomeOf(reply, model, events.length);
    },
  };
}

/** https://github.com/ollama/ollama/blob/main/docs/api.md, `POST /api/chat`: what is read of a reply. */
const chatReply = v.object({
  message: v.object({ content: v.string() }),
  done_reason: v.optional(v.string()),
  prompt_eval_count: v.optional(v.number(), 0),
  eval_count: v.optional(v.number(), 0),
});

function chatBody(model: string, events: readonly RawEvent[]) {
  const { system, user } = promptFor(events, localPromptTokensMax);
  return {
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    stream: false,
    think: false,
    format: answerSchema,
    keep_alive: '5m',
    options: {
      temperature: 0,
      // Always the same: another size makes Ollama load the model anew. Its default cuts a long prompt silently.
      num_ctx: localContextTokens,
      num_predict: (events.length + 1) * summaryTokensMax,
    },
  };
}

function outcomeOf(reply: Reply, model: string, count: number): BatchOutcome {
  if (reply.kind === 'silent') return outageOf(reply, '');
  if (reply.status !== 200) return outageOf(reply, ollamaErrorWords(reply.status, reply.text, model));
  const parsed = v.safeParse(chatReply, parseJson(reply.text));
  if (!parsed.success) return outageOf(reply, ollamaShapeWords(reply.text));
  const { message, done_reason, prompt_eval_count, eval_count } = parsed.output;
  const usage = { calls: 1, inputTokens: prompt_eval_count, outputTokens: eval_count };
  const outcome = readAnswers(message.content, count, usage);
  if (outcome.kind !== 'rejected' || done_reason !== 'length') return outcome;
  return { ...outcome, error: `the model's answer was cut at its limit of tokens` };
}

function nextBatchMax(current: number, size: number, reply: Reply): number {
  if (reply.kind === 'silent' && reply.reach === 'timeout') return Math.max(1, Math.floor(size / 2));
  const worked = reply.kind === 'answered' && reply.status === 200;
  return worked && size >= current ? Math.min(localBatchMax, current + 1) : current;
}
