import * as v from 'valibot';
import type { JsonObject } from '../event/index.ts';
import { hostedBatchMax, hostedPromptTokensMax, summariseTimeoutMs, summaryTokensMax } from '../limits.ts';
import {
  type Answered,
  absenceAt,
  apiErrorWords,
  askPatiently,
  parseJson,
  type RetryPolicy,
  retryPolicy,
  type Silent,
} from '../model/index.ts';
import { readAnswers } from './answers.ts';
import type { Backend, BatchOutcome, RawEvent, Usage } from './backend.ts';
import { outageOf } from './outage.ts';
import { answerSchema, type Prompt, promptFor } from './prompt.ts';

/** The day's tokens for the paid API. */
export interface Budget {
  /** `hostedllm.dailyTokenBudget`. */
  readonly dailyTokens: number;
  /** Tokens left today; may be negative. */
  remaining(): number;
  /** What of it is kept for other work than this; `remaining` has left it out. */
  readonly keptBack?: number;
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

/**
 * Summaries by the hosted API (Anthropic's Messages API). Asks the budget before each call; a call that was sent and not
 * answered is spent by its estimate, since it may be billed. The key stands in the request's header and nowhere else.
 */
export function hostedBackend(settings: HostedSettings): Backend {
  const { endpoint, model, budget } = settings;
  const features: Features = { temperature: true, schema: true };
  // What was left when a call did not fit: until there is more, the next one will not fit either.
  let notEnough = 0;
  return {
    name: 'hosted',
    model,
    batchMax: hostedBatchMax,
    unavailable: async (signal) =>
      budget.remaining() <= notEnough ? usedUp(budget) : await absenceAt(endpoint, signal),
    summarise: async (events, signal) => {
      const prompt = promptFor(events, hostedPromptTokensMax);
      const estimate = estimateOf(prompt, events.length);
      const left = budget.remaining();
      if (estimate.inputTokens + estimate.outputTokens > left) {
        notEnough = Math.max(0, left);
        return { kind: 'outage', error: usedUp(budget), retryable: false };
      }
      notEnough = 0;
      const reply = await askKnowing(features, settings, prompt, events, signal);
      const { result, spent } =
        reply.kind === 'silent'
          ? unanswered(reply, estimate)
          : answered(reply, settings.apiKey, events.length, estimate);
      if (spent !== null) budget.spend(spent);
      return result;
    },
  };
}

const provider = 'hostedllm';

/** Parameters that some models refuse (400, naming them): left out from then on. */
interface Features {
  temperature: boolean;
  schema: boolean;
}

interface Settled {
  readonly result: BatchOutcome;
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

async function askKnowing(
  features: Features,
  settings: HostedSettings,
  prompt: Prompt,
  events: readonly RawEvent[],
  signal: AbortSignal,
) {
  for (;;) {
    const reply = await send(features, settings, prompt, events, signal);
    if (reply.kind !== 'answered' || reply.status !== 400 || !learnt(features, reply.text)) return reply;
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

function send(
  features: Features,
  { endpoint, model, apiKey, timeoutMs = summariseTimeoutMs, retries = retryPolicy }: HostedSettings,
  prompt: Prompt,
  events: readonly RawEvent[],
  signal: AbortSignal,
) {
  const body: JsonObject = {
    model,
    max_tokens: (events.length + 1) * summaryTokensMax,
    ...(features.temperature ? { temperature: 0 } : {}),
    system: prompt.system,
    messages: [{ role: 'user', content: prompt.user }],
    ...(features.schema ? { output_config: { format: { type: 'json_schema', schema: answerSchema } } } : {}),
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
  );
}

/** A call that never reached anybody costs nothing; of any other nobody can tell. */
function unanswered(reply: Silent, estimate: Usage): Settled {
  return { result: outageOf(reply, ''), spent: reply.reach === 'absent' ? null : estimate };
}

function answered(reply: Answered, apiKey: string, count: number, estimate: Usage): Settled {
  if (reply.status !== 200) return { result: refusal(reply, apiKey), spent: null };
  const parsed = v.safeParse(messageReply, parseJson(reply.text));
  if (!parsed.success) {
    const words = `${provider} API error: 200 with a reply that is not the Messages API's`;
    return { result: outageOf(reply, words), spent: estimate };
  }
  const { content, stop_reason } = parsed.output;
  const spent = usageOf(parsed.output.usage);
  const said = content.map((block) => (block.type === 'text' ? (block.text ?? '') : '')).join('');
  const result = readAnswers(said, count, spent);
  if (result.kind !== 'rejected') return { result, spent };
  const why = stopWords[stop_reason ?? ''];
  return { result: why === undefined ? result : { ...result, error: why }, spent };
}

const stopWords: Readonly<Record<string, string>> = {
  max_tokens: "the model's answer was cut at its limit of tokens",
  refusal: 'the model refused to summarise',
};

/** An error reply. Only a request that is too large is the fault of what was in it. */
function refusal(reply: Answered, apiKey: string): BatchOutcome {
  if (reply.status === 401) return outageOf(reply, `${provider} API error: 401`);
  const words = apiErrorWords(provider, reply.status, reply.text, apiKey);
  if (reply.status === 413) return { kind: 'rejected', error: words, usage: nothing };
  if (reply.status >= 300 && reply.status < 400)
    return outageOf(reply, `${words} (a redirect, not followed)`);
  if (reply.status === 404) return outageOf(reply, `${words}; check hostedllm.model and hostedllm.endpoint`);
  return outageOf(reply, words);
}

const nothing: Usage = { calls: 1, inputTokens: 0, outputTokens: 0 };

type ReportedUsage = v.InferOutput<typeof messageReply>['usage'];

function usageOf(usage: ReportedUsage): Usage {
  const cached = (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0);
  return { calls: 1, inputTokens: usage.input_tokens + cached, outputTokens: usage.output_tokens };
}

function estimateOf(prompt: Prompt, count: number): Usage {
  return { calls: 1, inputTokens: prompt.tokens, outputTokens: Math.ceil((count * summaryTokensMax) / 2) };
}

function usedUp(budget: Budget): string {
  const { keptBack = 0 } = budget;
  const less = budget.remaining() <= 0 ? 'is used up' : 'has too little left for another call';
  const say = keptBack === 0 ? less : `${less} to refine with (${keptBack} are kept for new events)`;
  return `${provider} daily token budget of ${budget.dailyTokens} ${say}; it resets at 00:00 UTC (hostedllm.dailyTokenBudget)`;
}
