import type { Usage } from './chat.ts';

/** When the prices below were looked up: https://www.anthropic.com/pricing (API, standard tier, no caching, no batches). */
export const pricesAsOf = '2025-12-01';

/** US dollars a million tokens, which is micro-dollars a token. */
interface Price {
  readonly models: RegExp;
  readonly input: number;
  readonly output: number;
}

const prices: readonly Price[] = [
  { models: /^claude-haiku-4-5$/, input: 1, output: 5 },
  { models: /^claude-sonnet-4-5$/, input: 3, output: 15 },
  { models: /^claude-opus-4-5$/, input: 5, output: 25 },
  { models: /^claude-opus-4(-[01])?$/, input: 15, output: 75 },
  { models: /^claude-(3-5-haiku|haiku-3-5)$/, input: 0.8, output: 4 },
];

/**
 * The cost of tokens at the published price of the model, in micro-dollars (1e-6 USD), rounded up; null for an unknown model.
 * A date or `-latest` at the end of the name is ignored.
 */
export function costMicroUsd(model: string, { inputTokens, outputTokens }: Usage): number | null {
  const name = model.replace(/-(\d{8}|latest)$/, '');
  const price = prices.find(({ models }) => models.test(name));
  if (price === undefined) return null;
  // Prices have one decimal at the most: whole tenths keep the sum exact.
  const tenths = inputTokens * Math.round(price.input * 10) + outputTokens * Math.round(price.output * 10);
  return Math.ceil(tenths / 10);
}
