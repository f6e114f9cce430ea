import { refineBudgetShareMax } from '../limits.ts';
import type { Store } from '../store/index.ts';
import { costMicroUsd } from '../summarise/index.ts';

/** What a budget is for: the events of the day, or refining older summaries. */
export type Purpose = 'events' | 'refining';

/**
 * The tokens of one UTC day, counted in the database so that all drainers of a workspace share them. Refining leaves what is
 * beyond `refineBudgetShareMax` of the day to new events: whoever spent the rest, that much is never refined away.
 */
export function dailyBudget(store: Store, model: string, dailyTokens: number, purpose: Purpose = 'events') {
  const day = () => new Date().toISOString().slice(0, 10);
  const keptBack = purpose === 'refining' ? Math.ceil(dailyTokens * (1 - refineBudgetShareMax)) : 0;
  return {
    dailyTokens,
    keptBack,
    remaining: () =>
      store.ledger
        .usageOf(day())
        .filter((row) => row.backend === 'hosted')
        .reduce((left, row) => left - row.inputTokens - row.outputTokens, dailyTokens - keptBack),
    spend: (usage: { calls: number; inputTokens: number; outputTokens: number }) =>
      store.ledger.addUsage({
        day: day(),
        backend: 'hosted',
        model,
        ...usage,
        costMicroUsd: costMicroUsd(model, usage) ?? 0,
      }),
  };
}
