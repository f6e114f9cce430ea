import * as v from 'valibot';
import { type JsonObject, parseJson } from '../../core/event/index.ts';
import { summariseTimeoutMs } from '../../core/limits.ts';
import {
  type Answered,
  absenceAt,
  apiErrorWords,
  askPatiently,
  isRefusal,
  type Reply,
  type RetryPolicy,
  retryPolicy,
  type Silent,
} from '../../core/model/index.ts';
import type { Usage } from './backend.ts';
import type { Chat, ChatQuestion } from './chat.ts';
import { outageOf } from './outage.ts';
import { type Reaction, settled } from './refusal.ts';

/** The day's tokens for the paid API. */
export interface Budget {
  /** `hostedllm.dailyTokenBudget`. */
  readonly dailyTokens: number;
  /** Tokens left today; may be negative. */
  remaining(): number;
  /** What of it is kept for other work than this; `remaining` has left it out. */
  readonly keptBack?: number;
  /** What this work is, where some is kept back: `refine with`. */
  readonly to?: string;
  spend(usage: Usage): void;
}

export interface HostedSettings {
  /** Base address, e.g. `https://api.anthropic.com`. */
  readonly endpoint: string;
  readonly model: string;
  readonly apiKey: string;
  readonly budget: Budget;
  readonly timeoutMs?: number;
  readonly retries?: RetryPolicy;
}

export interface HostedChat extends Chat {
  /** Null when it can be used now, else why not. Cheap, costs nothing, and sends nothing. */
  unavailable(signal: AbortSignal): Promise<string | null>;
}

/**
 * The hosted API (Anthropic's Messages API). Asks the budget before each call and each retry; one that was sent and failed is
 * spent by its estimate, since it may be billed. The key stands in the request's header and nowhere else.
 */
export function hostedChat(settings: HostedSettings): HostedChat {
  const { endpoint, model, budget } = settings;
  const features: Features = { temperature: true, schema: true };
  // What was left when a call did not fit: until there is more, the next one will not fit either.
  let notEnough = 0;
  const once = async (question: ChatQuestion, signal: AbortSignal): Promise<Reaction> => {
    const estimate = estimateOf(question);
    const fits = (): boolean => estimate.inputTokens + estimate.outputTokens <= budget.remaining();
    if (!fits()) {
      notEnough = Math.max(0, budget.remaining());
      return { kind: 'outage', error: usedUp(budget), retryable: false };
    }
    notEnough = 0;
    // Each try is paid for by itself, and another one made only if that has left enough.
    const paid = new Map<Reply, Reaction>();
    const reactionTo = (reply: Reply): Reaction => {
      const { reaction, spent } =
        reply.kind === 'silent' ? unanswered(reply, estimate) : answered(reply, settings.apiKey, estimate);
      if (spent !== null) budget.spend(spent);
      paid.set(reply, reaction);
      return reaction;
    };
    const again = (failed: Reply): boolean => {
      reactionTo(failed);
      return fits();
    };
    const reply = await askKnowing({ features, settings, question, again }, signal);
    return paid.get(reply) ?? reactionTo(reply);
  };
  return {
    name: 'hosted',
    model,
    unavailable: async (signal) =>
      budget.remaining() <= notEnough ? usedUp(budget) : await absenceAt(endpoint, signal),
    ask: async (question, signal) => settled(await once(question, signal), (check) => once(check, signal)),
  };
}

const provider = 'hostedllm';

/** Parameters that some models refuse (400, naming them): left out from then on. */
interface Features {
  temperature: boolean;
  schema: boolean;
}

interface Settled {
  readonly reaction: Reaction;
  readonly spent: Usage | null;
}

/** https://docs.anthropic.com/en/api/messages: what is read of a reply. */
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

interface Attempt {
  readonly features: Features;
  readonly settings: HostedSettings;
  readonly question: ChatQuestion;
  /** Told of a try that failed; whether there may be another one. */
  readonly again: (failed: Reply) => boolean;
}

async function askKnowing(attempt: Attempt, signal: AbortSignal): Promise<Reply> {
  const { features, again } = attempt;
  for (;;) {
    const reply = await send(attempt, signal);
    if (reply.kind !== 'answered' || reply.status !== 400 || !learnt(features, reply.text)) return reply;
    if (!again(reply)) return reply;
  }
}

/** Whether the refusal names a parameter that can be done without; each can be learnt once. */
function learnt(features: Features, body: string): boolean {
  if (features.temperature && body.includes('temperature')) {
    features.temperature = false;
    return true;
  }
  if (features.schema && /output_config|json_schema/.test(body)) {
    features.schema = false;
    return true;
  }
  return false;
}

function send({ features, settings, question, again }: Attempt, signal: AbortSignal): Promise<Reply> {
  const { endpoint, model, apiKey, timeoutMs = summariseTimeoutMs, retries = retryPolicy } = settings;
  const { prompt, schema, answerTokens } = question;
  const body: JsonObject = {
    model,
    max_tokens: answerTokens.max,
    ...(features.temperature ? { temperature: 0 } : {}),
    system: prompt.system,
    messages: [{ role: 'user', content: prompt.user }],
    ...(features.schema ? { output_config: { format: { type: 'json_schema', schema } } } : {}),
  };
  const headers = {
    'x-api-key': apiKey,
    'anthropic-version': '2023-06-01',
    'content-type': 'application/json',
  };
  return askPatiently(
    { base: endpoint, path: '/v1/messages', headers, body, timeoutMs, secret: apiKey },
    signal,
    retries,
    again,
  );
}

/** A call that never reached anybody costs nothing; of any other nobody can tell. */
function unanswered(reply: Silent, estimate: Usage): Settled {
  return { reaction: outageOf(reply, ''), spent: reply.reach === 'absent' ? null : estimate };
}

function answered(reply: Answered, apiKey: string, estimate: Usage): Settled {
  if (reply.status !== 200) return refused(reply, apiKey, estimate);
  const parsed = v.safeParse(messageReply, parseJson(reply.text));
  if (!parsed.success) {
    const words = `${provider} API error: 200 with a reply that is not the Messages API's`;
    return { reaction: outageOf(reply, words), spent: estimate };
  }
  const { content, stop_reason } = parsed.output;
  const spent = usageOf(parsed.output.usage);
  const said = content.map((block) => (block.type === 'text' ? (block.text ?? '') : '')).join('');
  const endedEarly = stopWords[stop_reason ?? ''] ?? null;
  return { reaction: { kind: 'said', content: said, endedEarly, usage: spent }, spent };
}

const stopWords: Readonly<Record<string, string>> = {
  max_tokens: "the model's answer was cut at its limit of tokens",
  refusal: 'the model refused to answer',
};

/**
 * An error reply. Two are surely the fault of what was in the request: it is too large, or its answer, which is written by then and
 * may be billed, is not given out. Of a server that failed nobody can tell how far it had come.
 */
function refused(reply: Answered, apiKey: string, estimate: Usage): Settled {
  const words = apiErrorWords(provider, reply.status, reply.text, apiKey);
  if (reply.status === 413)
    return { reaction: { kind: 'rejected', error: words, usage: nothing }, spent: null };
  if (reply.status === 400 && /content filter/i.test(words))
    return { reaction: { kind: 'rejected', error: words, usage: estimate }, spent: estimate };
  if (isRefusal(reply.status))
    return { reaction: { kind: 'refused', error: words, usage: nothing }, spent: null };
  const mayBeBilled = reply.status === 408 || (reply.status >= 500 && !turnedAway.has(reply.status));
  const spent = mayBeBilled ? estimate : null;
  return { reaction: outageOf(reply, refusalWords(reply.status, words)), spent };
}

/** Unavailable and overloaded (https://docs.anthropic.com/en/api/errors): refused like a 429, before any work. */
const turnedAway: ReadonlySet<number> = new Set([503, 529]);

function refusalWords(status: number, words: string): string {
  if (status === 401) return `${provider} API error: 401`;
  if (status >= 300 && status < 400) return `${words} (a redirect, not followed)`;
  return status === 404 ? `${words}; check hostedllm.model and hostedllm.endpoint` : words;
}

const nothing: Usage = { calls: 1, inputTokens: 0, outputTokens: 0 };

type ReportedUsage = v.InferOutput<typeof messageReply>['usage'];

function usageOf(usage: ReportedUsage): Usage {
  const cached = (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0);
  return { calls: 1, inputTokens: usage.input_tokens + cached, outputTokens: usage.output_tokens };
}

function estimateOf({ prompt, answerTokens }: ChatQuestion): Usage {
  return { calls: 1, inputTokens: prompt.tokens, outputTokens: answerTokens.likely };
}

function usedUp(budget: Budget): string {
  const { keptBack = 0, to = 'refine with' } = budget;
  const less = budget.remaining() <= 0 ? 'is used up' : 'has too little left for another call';
  const say = keptBack === 0 ? less : `${less} to ${to} (${keptBack} are kept for new events)`;
  return `${provider} daily token budget of ${budget.dailyTokens} ${say}; it resets at 00:00 UTC (hostedllm.dailyTokenBudget)`;
}
