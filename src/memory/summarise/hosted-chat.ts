import * as v from 'valibot';
import { type JsonObject, parseJson } from '#core/event';
import { summariseTimeoutMs } from '#core/limits';
import {
  type Answered,
  absenceAt,
  apiErrorWords,
  askPatiently,
  isRefusal,
  type ModelAccess,
  type Reply,
  retryPolicy,
  type Silent,
} from '#core/model';
import { type Chat, type ChatQuestion, outageOf, type Usage } from './chat.ts';
import { type UncheckedReply, withRefusalCheck } from './refusal.ts';

/** The day's tokens for the paid API. */
export interface Budget {
  /** `hostedllm.dailyTokenBudget`. */
  readonly dailyTokens: number;
  /** Tokens left today for this purpose; may be negative. */
  remaining(): number;
  /** Tokens reserved for new events; not part of `remaining`. */
  readonly keptBack?: number;
  /** The purpose, where tokens are kept back: `refine with`. */
  readonly to?: string;
  spend(usage: Usage): void;
}

export interface HostedSettings extends ModelAccess {
  readonly apiKey: string;
  readonly budget: Budget;
}

export interface HostedChat extends Chat {
  /** Null when it can be used now, else the reason. Sends nothing. */
  unavailable(signal: AbortSignal): Promise<string | null>;
}

/**
 * The hosted API (Anthropic's Messages API). Checks the budget before each call and each retry. A call that was sent and failed
 * costs its estimate, since it may be billed. The key is in the request's header and nowhere else.
 */
export function hostedChat(settings: HostedSettings): HostedChat {
  const { endpoint, model, apiKey, budget } = settings;
  const features: Features = { temperature: true, schema: true };
  // The tokens left when a call did not fit: until there are more, the next one will not fit either.
  let notEnough = 0;
  const send = async (question: ChatQuestion, signal: AbortSignal): Promise<UncheckedReply> => {
    const estimate = {
      calls: 1,
      inputTokens: question.prompt.tokens,
      outputTokens: question.answerTokens.likely,
    };
    const fits = (): boolean => estimate.inputTokens + estimate.outputTokens <= budget.remaining();
    if (!fits()) {
      notEnough = Math.max(0, budget.remaining());
      return { kind: 'outage', error: usedUp(budget), retryable: false };
    }
    notEnough = 0;
    const charged = new Map<Reply, UncheckedReply>();
    const charge = (reply: Reply): UncheckedReply => {
      const { read, spent } =
        reply.kind === 'silent' ? readSilence(reply, estimate) : readReply(reply, apiKey, estimate);
      if (spent !== null) budget.spend(spent);
      charged.set(reply, read);
      return read;
    };
    const again = (failed: Reply): boolean => {
      charge(failed);
      return fits();
    };
    for (;;) {
      const reply = await post(settings, features, question, signal, again);
      const isLearnt = reply.kind === 'answered' && reply.status === 400 && learn(features, reply.text);
      if (!isLearnt || !again(reply)) return charged.get(reply) ?? charge(reply);
    }
  };
  return {
    name: 'hosted',
    model,
    unavailable: async (signal) =>
      budget.remaining() <= notEnough ? usedUp(budget) : await absenceAt(endpoint, signal),
    ask: withRefusalCheck(send),
  };
}

const provider = 'hostedllm';

/** Parameters that some models refuse (400, naming them): left out from then on. */
type Features = Record<keyof typeof names, boolean>;
/** How a refusal calls them. */
const names = { temperature: /temperature/, schema: /output_config|json_schema/ };

/** Whether the refusal names a parameter that can be left out; each is learnt once. */
function learn(features: Features, body: string): boolean {
  const named = (['temperature', 'schema'] as const).find((name) => features[name] && names[name].test(body));
  if (named !== undefined) features[named] = false;
  return named !== undefined;
}

function post(
  { endpoint, model, apiKey, timeoutMs = summariseTimeoutMs, retries = retryPolicy }: HostedSettings,
  features: Features,
  { prompt, schema, answerTokens }: ChatQuestion,
  signal: AbortSignal,
  again: (failed: Reply) => boolean,
): Promise<Reply> {
  const body: JsonObject = {
    model,
    max_tokens: answerTokens.max,
    ...(features.temperature ? { temperature: 0 } : {}),
    system: prompt.system,
    messages: [{ role: 'user', content: prompt.user }],
    ...(features.schema ? { output_config: { format: { type: 'json_schema', schema } } } : {}),
  };
  const headers = { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' };
  const request = { base: endpoint, path: '/v1/messages', headers, body, timeoutMs, secret: apiKey };
  return askPatiently(request, signal, retries, again);
}

/** https://docs.anthropic.com/en/api/messages: the fields that are read. */
const messageReply = v.object({
  content: v.array(v.looseObject({ type: v.string(), text: v.optional(v.string()) })),
  stop_reason: v.nullish(v.string()),
  usage: v.object({
    input_tokens: v.number(),
    output_tokens: v.number(),
    cache_creation_input_tokens: v.nullish(v.number()),
    cache_read_input_tokens: v.nullish(v.number()),
  }),
});

/** A reply as it is understood, and what it costs. */
interface Charged {
  readonly read: UncheckedReply;
  readonly spent: Usage | null;
}

/** A call that reached nobody costs nothing; of any other nobody knows. */
function readSilence(reply: Silent, estimate: Usage): Charged {
  return { read: outageOf(reply, ''), spent: reply.reach === 'absent' ? null : estimate };
}

function readReply(reply: Answered, apiKey: string, estimate: Usage): Charged {
  if (reply.status !== 200) return readError(reply, apiKey, estimate);
  const parsed = v.safeParse(messageReply, parseJson(reply.text));
  if (!parsed.success) {
    const error = `${provider} API error: 200 with a reply that is not the Messages API's`;
    return { read: outageOf(reply, error), spent: estimate };
  }
  const { content, stop_reason } = parsed.output;
  const usage = usageOf(parsed.output.usage);
  const text = content.map((block) => (block.type === 'text' ? (block.text ?? '') : '')).join('');
  const endedEarly = stopWords[stop_reason ?? ''] ?? null;
  return { read: { kind: 'answered', content: text, endedEarly, usage }, spent: usage };
}

const stopWords: Readonly<Record<string, string>> = {
  max_tokens: "the model's answer was cut at its limit of tokens",
  refusal: 'the model refused to answer',
};

/**
 * Two errors are surely caused by the request: it is too large, or its answer, which may be billed, is withheld. How far a
 * server came that failed is unknown.
 */
function readError(reply: Answered, apiKey: string, estimate: Usage): Charged {
  const { status } = reply;
  const error = apiErrorWords(provider, status, reply.text, apiKey);
  if (status === 413)
    return { read: { kind: 'rejected', refused: true, error, usage: noTokens }, spent: null };
  if (status === 400 && /content filter/i.test(error))
    return { read: { kind: 'rejected', refused: true, error, usage: estimate }, spent: estimate };
  if (isRefusal(status)) return { read: { kind: 'unclear', error, usage: noTokens }, spent: null };
  const mayBeBilled = status === 408 || (status >= 500 && !turnedAway.has(status));
  return { read: outageOf(reply, withAdvice(status, error)), spent: mayBeBilled ? estimate : null };
}

/** Unavailable and overloaded (https://docs.anthropic.com/en/api/errors): refused like a 429, before any work. */
const turnedAway: ReadonlySet<number> = new Set([503, 529]);

function withAdvice(status: number, error: string): string {
  if (status === 401) return `${provider} API error: 401`;
  if (status >= 300 && status < 400) return `${error} (a redirect, not followed)`;
  return status === 404 ? `${error}. Check hostedllm.model and hostedllm.endpoint.` : error;
}

const noTokens: Usage = { calls: 1, inputTokens: 0, outputTokens: 0 };

type ReportedUsage = v.InferOutput<typeof messageReply>['usage'];

function usageOf(usage: ReportedUsage): Usage {
  const cached = (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0);
  return { calls: 1, inputTokens: usage.input_tokens + cached, outputTokens: usage.output_tokens };
}

function usedUp(budget: Budget): string {
  const { keptBack = 0, to = 'refine with' } = budget;
  const state = budget.remaining() <= 0 ? 'is used up' : 'has too little left for another call';
  const purpose = keptBack === 0 ? '' : ` to ${to} (${keptBack} are kept for new events)`;
  return `${provider} daily token budget of ${budget.dailyTokens} ${state}${purpose}; it resets at 00:00 UTC (hostedllm.dailyTokenBudget)`;
}
