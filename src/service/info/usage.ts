import type { UsageRow } from '#memory/store';

/** The use of a model on one UTC day. */
export interface ShownUsage extends Omit<UsageRow, 'costMicroUsd'> {
  /** US dollars at the published price; null when the price of the model is not known. */
  readonly costUsd: number | null;
}

/** A paid model whose tokens have cost nothing has no known price. */
export function shownUsage(rows: readonly UsageRow[]): ShownUsage[] {
  return rows.map(({ costMicroUsd, ...use }) => {
    const isPaid = use.backend === 'hosted' && use.inputTokens + use.outputTokens > 0;
    return { ...use, costUsd: isPaid && costMicroUsd === 0 ? null : costMicroUsd / 1_000_000 };
  });
}
