import { type Config, hostedKey } from '../../core/config/index.ts';
import type { Judge } from '../curate/index.ts';
import type { Store } from '../store/index.ts';
import {
  type Backends,
  type Breaker,
  breaker,
  builtinBackend,
  hostedBackend,
  localBackend,
  withBreaker,
} from '../summarise/index.ts';
import { dailyBudget, type Purpose } from './budget.ts';
import { openJudges } from './judges.ts';

export interface BackendSettings {
  readonly store: Store;
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface OpenBackends {
  /** For new events. */
  readonly forEvents: Backends;
  /** For refining: the same, but for the part of the day's budget that the hosted one may spend. */
  readonly forRefining: Backends;
  /** For asking about pairs: the hosted one only when the settings allow it, with its own part of the budget. */
  readonly forAsking: Backends;
  /** Whom to ask about pairs with a backend of `forAsking`; null: not with that. */
  readonly judgeFor: (name: 'local' | 'hosted' | 'builtin') => Judge | null;
  /** The breakers of what is for new events: what the last calls ended in. */
  readonly gates: { readonly local: Breaker; readonly hosted: Breaker };
  /** The tokens left of the day's budget, or null without a key. */
  readonly budget: () => { dailyTokens: number; remainingTokens: number } | null;
}

/**
 * The backends of the settings. The hosted one has a breaker for each purpose: that the share of one is spent must not hold
 * back the other.
 * @throws Failure `bad_key`
 */
export function openBackends({ store, config, env }: BackendSettings): OpenBackends {
  const apiKey = hostedKey(env, config);
  const model = config['hostedllm.model'];
  const budgetFor = (purpose: Purpose) =>
    dailyBudget(store, model, config['hostedllm.dailyTokenBudget'], purpose);
  const gates = { local: breaker(), hosted: breaker() };
  const local = withBreaker(
    localBackend({ endpoint: config['localllm.endpoint'], model: config['localllm.model'] }),
    gates.local,
  );
  const hosted = (purpose: Purpose, gate: Breaker) => {
    if (apiKey === null) return null;
    const endpoint = config['hostedllm.endpoint'];
    return withBreaker(hostedBackend({ endpoint, model, apiKey, budget: budgetFor(purpose) }), gate);
  };
  const builtin = builtinBackend();
  const mayPayForAsking = config['curate.model'] === 'any';
  const judges = openJudges({
    store,
    config,
    apiKey: mayPayForAsking ? apiKey : null,
    budget: budgetFor('asking'),
  });
  const whole = budgetFor('events');
  return {
    forEvents: { local, hosted: hosted('events', gates.hosted), builtin },
    forRefining: { local, hosted: hosted('refining', breaker()), builtin },
    forAsking: { local, hosted: mayPayForAsking ? hosted('asking', breaker()) : null, builtin },
    judgeFor: (name) => (name === 'builtin' ? null : judges[name]),
    gates,
    budget: () =>
      apiKey === null
        ? null
        : { dailyTokens: whole.dailyTokens, remainingTokens: Math.max(0, whole.remaining()) },
  };
}
