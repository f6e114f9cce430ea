import type { Store } from '#memory/store';
import { costMicroUsd } from '#memory/summarise';

const refineBudgetShareMax = 0.5;
export const askBudgetShareMax = 0.25;

/** New events, refining older summaries, or asking about pairs of them. */
export type Purpose = 'events' | 'refining' | 'asking';

/** The share of the day's tokens that may be used before a purpose stops, and its name in errors. */
const shares: Readonly<Record<Purpose, { readonly share: number; readonly to: string }>> = {
  events: { share: 1, to: 'summarise with' },
  refining: { share: refineBudgetShareMax, to: 'refine with' },
  asking: { share: askBudgetShareMax, to: 'ask about pairs with' },
};

/**
 * The tokens of one UTC day, counted in the database so that all drainers of a workspace share them. Refining and asking stop at
 * their share of the day's total use, so that the rest stays for new events.
 */
export function dailyBudget(store: Store, model: string, dailyTokens: number, purpose: Purpose = 'events') {
  const day = () => new Date().toISOString().slice(0, 10);
  const { share, to } = shares[purpose];
  const keptBack = Math.ceil(dailyTokens * (1 - share));
  return {
    dailyTokens,
    keptBack,
    to,
    remaining: () =>
      store.usage
        .of(day())
        .filter((row) => row.backend === 'hosted')
        .reduce((left, row) => left - row.inputTokens - row.outputTokens, dailyTokens - keptBack),
    spend: (usage: { calls: number; inputTokens: number; outputTokens: number }) =>
      store.usage.add({
        ...{ day: day(), backend: 'hosted', model },
        ...{ ...usage, costMicroUsd: costMicroUsd(model, usage) ?? 0 },
      }),
  };
}
