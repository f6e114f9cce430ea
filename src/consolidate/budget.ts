import type { Store } from '../store/index.ts';

/** The tokens of one UTC day, counted in the database so that all drainers of a workspace share them. */
export function dailyBudget(store: Store, model: string, dailyTokens: number) {
  const day = () => new Date().toISOString().slice(0, 10);
  return {
    dailyTokens,
    remaining: () =>
      store.ledger
        .usageOf(day())
        .filter((row) => row.backend === 'hosted')
        .reduce((left, row) => left - row.inputTokens - row.outputTokens, dailyTokens),
    spend: (usage: { calls: number; inputTokens: number; outputTokens: number }) =>
      store.ledger.addUsage({ day: day(), backend: 'hosted', model, ...usage }),
  };
}
