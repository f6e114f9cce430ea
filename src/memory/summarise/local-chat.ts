import * as v from 'valibot';
import { parseJson } from '../../core/event/index.ts';
import { summariseTimeoutMs } from '../../core/limits.ts';
import {
  askPatiently,
  isRefusal,
  ollamaErrorWords,
  ollamaShapeWords,
  type Reply,
  type RetryPolicy,
  retryPolicy,
} from '../../core/model/index.ts';
import type { Chat, ChatQuestion, Heard } from './chat.ts';
import { outageOf } from './outage.ts';
import { type Reaction, settled } from './refusal.ts';

export const localContextTokens = 8_192;

export interface LocalSettings {
  /** Base address of Ollama's HTTP API, e.g. `http://localhost:11434`. */
  readonly endpoint: string;
  readonly model: string;
  readonly timeoutMs?: number;
  readonly retries?: RetryPolicy;
}

export interface LocalChat extends Chat {
  /** The same, with what the network did. */
  exchange(
    question: ChatQuestion,
    signal: AbortSignal,
  ): Promise<{ readonly received: Heard; readonly reply: Reply }>;
}

/** A model on the developer's machine, through Ollama's `/api/chat`. */
export function localChat(settings: LocalSettings): LocalChat {
  const { endpoint, model, timeoutMs = summariseTimeoutMs, retries = retryPolicy } = settings;
  const send = (question: ChatQuestion, signal: AbortSignal): Promise<Reply> => {
    const asked = { base: endpoint, path: '/api/chat', body: chatBody(model, question), timeoutMs };
    return askPatiently(asked, signal, retries);
  };
  const exchange: LocalChat['exchange'] = async (question, signal) => {
    const reply = await send(question, signal);
    const again = async (check: ChatQuestion) => reactionIn(await send(check, signal), model);
    return { received: await settled(reactionIn(reply, model), again), reply };
  };
  return {
    name: 'local',
    model,
    exchange,
    ask: async (question, signal) => (await exchange(question, signal)).received,
  };
}

/** https://github.com/ollama/ollama/blob/main/docs/api.md, `POST /api/chat`: what is read of a reply. */
const chatReply = v.object({
  message: v.object({ content: v.string() }),
  done_reason: v.optional(v.string()),
  prompt_eval_count: v.optional(v.number(), 0),
  eval_count: v.optional(v.number(), 0),
});

function chatBody(model: string, { prompt, schema, answerTokens }: ChatQuestion) {
  return {
    model,
    messages: [
      { role: 'system', content: prompt.system },
      { role: 'user', content: prompt.user },
    ],
    stream: false,
    think: false,
    format: schema,
    keep_alive: '5m',
    options: {
      temperature: 0,
      // Always the same: another size makes Ollama load the model anew. Its default cuts a long prompt silently.
      num_ctx: localContextTokens,
      num_predict: answerTokens.max,
    },
  };
}

function reactionIn(reply: Reply, model: string): Reaction {
  if (reply.kind === 'silent') return outageOf(reply, '');
  if (reply.status !== 200) {
    const error = ollamaErrorWords(reply.status, reply.text, model);
    if (!isRefusal(reply.status)) return outageOf(reply, error);
    return { kind: 'refused', error, usage: { calls: 1, inputTokens: 0, outputTokens: 0 } };
  }
  const parsed = v.safeParse(chatReply, parseJson(reply.text));
  if (!parsed.success) return outageOf(reply, ollamaShapeWords(reply.text));
  const { message, done_reason, prompt_eval_count, eval_count } = parsed.output;
  const usage = { calls: 1, inputTokens: prompt_eval_count, outputTokens: eval_count };
  const endedEarly = done_reason === 'length' ? "the model's answer was cut at its limit of tokens" : null;
  return { kind: 'said', content: message.content, endedEarly, usage };
}
