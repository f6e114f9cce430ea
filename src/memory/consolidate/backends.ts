import { hostedKey } from '#core/config';
import { hostedPromptTokensMax, localPromptTokensMax, probeIntervalMs } from '#core/limits';
import { type Judge, judgeBy } from '#memory/curate';
import type { Store } from '#memory/store';
import {
  type Breaker,
  breaker,
  builtinBackend,
  type Chat,
  chatWithBreaker,
  hostedBackend,
  hostedChat,
  localBackend,
  localChat,
} from '#memory/summarise';
import { dailyBudget, type Purpose } from './budget.ts';
import type { ConsolidatorOptions } from './options.ts';

const askPauseMsMax = 10 * 60_000;

export type OpenBackends = Readonly<ReturnType<typeof openBackends>>;

/**
 * The backends of the settings. The hosted one has a breaker for each purpose: when the share of one is spent, the others go on.
 * Judges have breakers of their own that hold longer: their outages stop no drain, and nothing is urgent there.
 * @throws Failure `bad_key`
 */
export function openBackends({ store, config, env }: Pick<ConsolidatorOptions, 'store' | 'config' | 'env'>) {
  const apiKey = hostedKey(env, config);
  const model = config['hostedllm.model'];
  const budgetFor = (purpose: Purpose) =>
    dailyBudget(store, model, config['hostedllm.dailyTokenBudget'], purpose);
  const gates = { local: breaker(), hosted: breaker() };
  const localSettings = { endpoint: config['localllm.endpoint'], model: config['localllm.model'] };
  const local = localBackend(localSettings, gates.local);
  const hostedSettings = (key: string, purpose: Purpose) => ({
    endpoint: config['hostedllm.endpoint'],
    model,
    apiKey: key,
    budget: budgetFor(purpose),
  });
  const hosted = (purpose: Purpose, gate: Breaker) =>
    apiKey === null ? null : hostedBackend(hostedSettings(apiKey, purpose), gate);
  const judgeGate = () => breaker({ baseMs: probeIntervalMs, longestMs: askPauseMsMax });
  const askingKey = config['curate.model'] === 'any' ? apiKey : null;
  const judgeOf = (chat: Chat, tokensMax: number) => judgeBy(chatWithBreaker(chat, judgeGate()), tokensMax);
  const paid = askingKey === null ? null : hostedChat(hostedSettings(askingKey, 'asking'));
  const judges = {
    local: judgeOf(withUsage(localChat(localSettings), store), localPromptTokensMax),
    hosted: paid && judgeOf(paid, hostedPromptTokensMax),
    builtin: null,
  };
  const builtin = builtinBackend();
  const whole = budgetFor('events');
  return {
    /** The same backends for each purpose, except that the hosted one spends its own share of the day's budget. */
    forEvents: { local, hosted: hosted('events', gates.hosted), builtin },
    forRefining: { local, hosted: hosted('refining', breaker()), builtin },
    /** The hosted one only if `curate.model` allows it. */
    forAsking: { local, hosted: askingKey === null ? null : hosted('asking', breaker()), builtin },
    /** The model to ask about pairs; null for a backend that cannot be asked. */
    judgeFor: (name: keyof typeof judges): Judge | null => judges[name],
    /** The breakers of `forEvents`. */
    gates,
    /** The tokens left of the day's budget, or null without a key. */
    budget: () =>
      apiKey === null
        ? null
        : { dailyTokens: whole.dailyTokens, remainingTokens: Math.max(0, whole.remaining()) },
  };
}

/** `chat` with its use counted in the store. The budget counts the hosted one's. */
function withUsage(chat: Chat, store: Store): Chat {
  const { name, model } = chat;
  return {
    name,
    model,
    ask: async (question, signal) => {
      const reply = await chat.ask(question, signal);
      if (reply.kind === 'outage') return reply;
      const day = new Date().toISOString().slice(0, 10);
      store.usage.add({ day, backend: name, model, ...reply.usage });
      return reply;
    },
  };
}
