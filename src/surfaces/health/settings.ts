import { type Config, hostedKey, loadConfig, shadowedSettings } from '#core/config';
import { Failure, unlessFailure } from '#core/platform';
import { readScope, scopeFile } from '#guard/boundary';
import { conditions } from '#service/info';
import type { Check, Context, Problem } from './check.ts';
import { readStore } from './read-store.ts';

/** Whether `config.json` and the key of the hosted model are valid and every setting is known. */
export const config: Check = { ...conditions.config, run: checkConfig, blocksStart: true };

async function checkConfig({ workspace, env }: Context): Promise<Problem[]> {
  try {
    const { config: settings, warnings } = loadConfig(workspace.config, env);
    hostedKey(env, settings);
    return warnings.map((detail) => ({ detail }));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const sentence = 'the daemon cannot start with these settings';
    const repair = `${error.repair ?? 'correct them'}, then run \`memd restart\``;
    return [{ severity: 'error', sentence, detail: error.what, repair }];
  }
}

/** Environment variables that override a setting in `config.json`. */
export const environment: Check = {
  code: 'environment',
  severity: 'note',
  sentence: 'an environment variable overrides a setting in config.json',
  repair: 'unset it, then run `memd restart`',
  run: async ({ workspace, env }) =>
    unlessFailure(() => shadowedSettings(workspace.config, env), []).map(({ key, variable }) => ({
      detail: `${variable} overrides ${key}`,
      repair: `run \`unset ${variable}\`, then \`memd restart\``,
    })),
};

/** Whether the user's write rules are in force. */
export const scope: Check = {
  ...conditions.scope,
  run: async ({ workspace }) => {
    const file = scopeFile(workspace.root);
    const rules = readScope(file);
    return rules.state === 'invalid' ? [{ detail: `${file}: ${rules.error}` }] : [];
  },
};

/** Whether today's tokens of the hosted model are spent while events wait. Sends no request. */
export const budget: Check = { ...conditions.budget, run: checkBudget };

async function checkBudget(context: Context): Promise<Problem[]> {
  const settings = settingsOf(context);
  if (settings?.hasKey !== true) return [];
  const daily = settings.config['hostedllm.dailyTokenBudget'];
  const today = new Date().toISOString().slice(0, 10);
  const stored = readStore(context.workspace, ({ stats, usage }) => ({
    raw: stats.counts().raw,
    used: usage
      .of(today)
      .filter(({ backend }) => backend === 'hosted')
      .reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0),
  }));
  if (stored === null || stored.raw === 0 || stored.used < daily) return [];
  return [{ detail: `${daily} tokens, ${stored.raw} events` }];
}

/** The settings and whether there is a key for the hosted model; null if invalid, which the check `config` reports. */
export function settingsOf({ workspace, env }: Context): { config: Config; hasKey: boolean } | null {
  return unlessFailure(() => {
    const loaded = loadConfig(workspace.config, env).config;
    return { config: loaded, hasKey: hostedKey(env, loaded) !== null };
  }, null);
}
