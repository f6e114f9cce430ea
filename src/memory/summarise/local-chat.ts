import * as v from 'valibot';
import { parseJson } from '#core/event';
import { summariseTimeoutMs } from '#core/limits';
import {
  askPatiently,
  isRefusal,
  type ModelAccess,
  ollamaErrorWords,
  ollamaShapeWords,
  type Reply,
  retryPolicy,
} from '#core/model';
import { type Chat, type ChatQuestion, outageOf } from './chat.ts';
import { type UncheckedReply, withRefusalCheck } from './refusal.ts';

export const localContextTokens = 8_192;

/** A model on the developer's machine, through Ollama's `/api/chat`. */
export function localChat(settings: ModelAccess): Chat {
  const { endpoint, model, timeoutMs = summariseTimeoutMs, retries = retryPolicy } = settings;
  const send = async (question: ChatQuestion, signal: AbortSignal) => {
    const request = { base: endpoint, path: '/api/chat', body: chatBody(model, question), timeoutMs };
    return readReply(await askPatiently(request, signal, retries), model);
  };
  return { name: 'local', model, ask: withRefusalCheck(send) };
}

/** https://github.com/ollama/ollama/blob/main/docs/api.md, `POST /api/chat`: the fields that are read. */
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
      // Always the same: another size makes Ollama reload the model. Its default cuts a long prompt silently.
      num_ctx: localContextTokens,
      num_predict: answerTokens.max,
    },
  };
}

function readReply(reply: Reply, model: string): UncheckedReply {
  if (reply.kind === 'silent') return outageOf(reply, '');
  if (reply.status !== 200) {
    const error = ollamaErrorWords(reply.status, reply.text, model);
    if (!isRefusal(reply.status)) return outageOf(reply, error);
    return { kind: 'unclear', error, usage: { calls: 1, inputTokens: 0, outputTokens: 0 } };
  }
  const parsed = v.safeParse(chatReply, parseJson(reply.text));
  if (!parsed.success) return outageOf(reply, ollamaShapeWords(reply.text));
  const { message, done_reason, prompt_eval_count, eval_count } = parsed.output;
  const usage = { calls: 1, inputTokens: prompt_eval_count, outputTokens: eval_count };
  const endedEarly = done_reason === 'length' ? "the model's answer was cut at its limit of tokens" : null;
  return { kind: 'answered', content: message.content, endedEarly, usage };
}
