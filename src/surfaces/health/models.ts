import type { Config } from '#core/config';
import { doctorReachMs } from '#core/limits';
import { absenceAt, ollamaLacks, probeOllama, publicAddress } from '#core/model';
import type { Check, Context, Problem } from './check.ts';
import { readStore } from './read-store.ts';
import { settingsOf } from './settings.ts';

/**
 * Whether the models of the settings answer. Asks the local runtime for its version and its models. Only connects to the
 * hosted address: it sends no request there.
 */
export const models: Check = {
  code: 'models',
  severity: 'warning',
  sentence: 'a model of the settings is missing',
  repair: 'run `memd info`',
  run: checkModels,
};

async function checkModels(context: Context): Promise<Problem[]> {
  const settings = settingsOf(context);
  if (settings === null) return [];
  const { config, hasKey } = settings;
  const stop = AbortSignal.timeout(2 * doctorReachMs);
  const [local, hosted] = await Promise.all([
    probeLocal(config, stop),
    hasKey && usesHosted(config) ? absenceAt(config['hostedllm.endpoint'], stop, doctorReachMs) : null,
  ]);
  const info = await context.info();
  const raw = readStore(context.workspace, ({ stats }) => stats.counts().raw) ?? 0;
  const daemonHasKey = info === null ? null : info.budget !== null;
  return judge(config, { local, hosted, hasKey, raw, daemonHasKey });
}

export interface ModelFacts {
  readonly local: Awaited<ReturnType<typeof probeLocal>>;
  /** Why the hosted address does not answer; null if it does, or is not used. */
  readonly hosted: string | null;
  readonly hasKey: boolean;
  /** Events that wait for a summary. Without any, a missing model is only worth a note. */
  readonly raw: number;
  /** Whether the daemon was started with a key; null without a daemon. */
  readonly daemonHasKey: boolean | null;
}

export function judge(config: Config, facts: ModelFacts): Problem[] {
  const { local, hosted, hasKey, daemonHasKey } = facts;
  const problems = config['drain.backend'] === 'builtin' ? [] : judgeDrain(config, facts);
  if (local.lacksEmbedModel !== null) {
    const model = config['localllm.embedModel'];
    problems.push({
      sentence: 'the local runtime lacks the embedding model; the built-in embedder is used',
      detail: `${model} at ${publicAddress(config['localllm.endpoint'])}`,
      repair: `run \`ollama pull ${model}\``,
    });
  }
  if (hosted !== null)
    problems.push({
      sentence: 'cannot reach the hosted model',
      detail: `${publicAddress(config['hostedllm.endpoint'])}: ${hosted}`,
      repair: 'check the network and hostedllm.endpoint, then run `memd restart`',
    });
  if (hasKey && daemonHasKey === false && usesHosted(config))
    problems.push({
      sentence: "the daemon was started without this shell's key",
      detail: 'HOSTEDLLM_API_KEY',
      repair: 'run `memd restart`',
    });
  return problems;
}

function judgeDrain(config: Config, { local, hasKey, raw }: ModelFacts): Problem[] {
  const { 'drain.backend': backend, 'drain.fallback': fallback, 'localllm.model': model } = config;
  const endpoint = publicAddress(config['localllm.endpoint']);
  if (backend === 'hosted') return hasKey ? [] : [noKey];
  if (local.probe.state === 'ready') {
    const sentence = 'the local runtime lacks the model for summaries';
    const missing = { sentence, detail: `${model} at ${endpoint}`, repair: `run \`ollama pull ${model}\`` };
    return local.lacksModel === null ? [] : [missing];
  }
  const severity = raw > 0 ? 'error' : 'note';
  const detail = `${endpoint}: ${local.probe.state === 'lacking' ? 'no model' : local.probe.error}`;
  if (backend !== 'auto' || local.probe.state !== 'absent') {
    const repair = 'restart the local runtime (ollama serve), or set drain.backend to "auto"';
    return [{ severity, sentence: 'the local model runtime does not answer', detail, repair }];
  }
  if (hasKey) return [];
  if (fallback === 'builtin') {
    const sentence = 'no local model answers; the builtin summariser is used';
    return [{ severity: 'note', sentence, detail, repair: 'for better summaries: docs/models.md' }];
  }
  const sentence = 'no drain backend available, so nothing is summarised';
  const repair = 'start a local model (ollama serve), or run `memd init` (it allows the builtin summariser)';
  return [{ severity, sentence, detail, repair }];
}

const noKey: Problem = {
  severity: 'error',
  sentence: 'drain.backend is "hosted" but there is no key, so nothing is summarised',
  detail: 'HOSTEDLLM_API_KEY is not set',
  repair: 'set it in the environment, then run `memd restart`',
};

/** `lacksModel`, `lacksEmbedModel`: why the runtime cannot use a model; null if it can, or does not answer. */
async function probeLocal(config: Config, stop: AbortSignal) {
  const endpoint = config['localllm.endpoint'];
  const probe = await probeOllama(endpoint, stop, doctorReachMs);
  if (probe.state !== 'ready') return { probe, lacksModel: null, lacksEmbedModel: null };
  const lacks = (model: string): Promise<string | null> => ollamaLacks(endpoint, model, stop, doctorReachMs);
  const [lacksModel, lacksEmbedModel] = await Promise.all([
    lacks(config['localllm.model']),
    lacks(config['localllm.embedModel']),
  ]);
  return { probe, lacksModel, lacksEmbedModel };
}

function usesHosted(config: Config): boolean {
  return config['drain.backend'] === 'hosted' || config['drain.backend'] === 'auto';
}
