import { hostedKey, loadConfig } from '../../core/config/index.ts';
import { Failure } from '../../core/platform/index.ts';
import { conditions } from '../../service/info/index.ts';
import type { Check, Found, Looked } from './check.ts';
import { fromStore } from './from-store.ts';

/** Whether today's tokens of the paid model are used up while events wait for it. Asks nobody. */
export const budget: Check = { ...conditions.budget, look, fix: null };

async function look({ workspace, env }: Looked): Promise<Found[]> {
  const daily = dailyTokens(workspace.config, env);
  if (daily === null) return [];
  const today = new Date().toISOString().slice(0, 10);
  const found = fromStore(workspace, ({ stats, usage }) => ({
    raw: stats.counts().raw,
    used: usage
      .of(today)
      .filter(({ backend }) => backend === 'hosted')
      .reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0),
  }));
  if (found === null || found.raw === 0 || found.used < daily) return [];
  return [{ detail: `${daily} tokens, ${found.raw} events` }];
}

/** Null where there is no key, or none that can be used. */
function dailyTokens(file: string, env: Looked['env']): number | null {
  try {
    const { config } = loadConfig(file, env);
    return hostedKey(env, config) === null ? null : config['hostedllm.dailyTokenBudget'];
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}
