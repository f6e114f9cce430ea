import type { Usage } from '../../../src/memory/summarise/chat.ts';
import type { Budget } from '../../../src/memory/summarise/hosted-chat.ts';

/** A day's budget that keeps what was spent. */
export function purse(dailyTokens = 1_000_000): Budget & { readonly spent: Usage[] } {
  const spent: Usage[] = [];
  const sum = () => spent.reduce((total, usage) => total + usage.inputTokens + usage.outputTokens, 0);
  return { dailyTokens, spent, remaining: () => dailyTokens - sum(), spend: (usage) => spent.push(usage) };
}
