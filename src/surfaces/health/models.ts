import { type Config, hostedKey, loadConfig } from '../../core/config/index.ts';
import { doctorReachMs } from '../../core/limits.ts';
import { absenceAt, ollamaLacks, type Probe, probeOllama, publicAddress } from '../../core/model/index.ts';
import { Failure } from '../../core/platform/index.ts';
import type { Check, Found, Looked } from './check.ts';
import { fromStore } from './from-store.ts';

/**
 * Whether the models of the settings are there. The local runtime is asked for its version and its list; at the paid one
 * nothing is asked: a connection shows that somebody is there, and the form of the key was looked at with the settings.
 */
export const models: Check = {
  code: 'models',
  severity: 'warning',
  sentence: 'a model of the settings is not there',
  repair: 'run: memd info (it tells what stands in)',
  look,
  fix: null,
};

async function look(subject: Looked): Promise<Found[]> {
  const given = settingsOf(subject);
  if (given === null) return [];
  const { config, hasKey } = given;
  const stop = AbortSignal.timeout(2 * doctorReachMs);
  const [local, hosted] = await Promise.all([
    lookAtLocal(config, stop),
    hasKey && usesHosted(config) ? absenceAt(config['hostedllm.endpoint'], stop, doctorReachMs) : null,
  ]);
  const info = await subject.running();
  const raw = fromStore(subject.workspace, ({ stats }) => stats.counts().raw) ?? 0;
  return judge(config, {
    local,
    hosted,
    hasKey,
    raw,
    daemonHasKey: info === null ? null : info.budget !== null,
  });
}

/** What was found out about the models. */
export interface Seen {
  readonly local: Local;
  /** Why nobody is at the paid model's address; null: somebody is, or it is not used. */
  readonly hosted: string | null;
  readonly hasKey: boolean;
  /** How many events wait: where none does, a model that is away is no trouble yet. */
  readonly raw: number;
  /** Whether the daemon was started with a key; null without one. */
  readonly daemonHasKey: boolean | null;
}

export interface Local {
  readonly probe: Probe;
  /** Why the runtime, which is there, cannot use a model; null: it can. */
  readonly lacksModel: string | null;
  readonly lacksEmbedModel: string | null;
}

/** What of it is worth telling, by what the settings ask for. */
export function judge(config: Config, seen: Seen): Found[] {
  const { local, hosted, hasKey, daemonHasKey } = seen;
  return [
    ...(config['drain.backend'] === 'builtin' ? [] : judgeDrain(config, seen)),
    ...(local.lacksEmbedModel === null ? [] : [judgeEmbedding(config)]),
    ...(hosted === null ? [] : [hostedAway(config, hosted)]),
    ...(hasKey && daemonHasKey === false && usesHosted(config) ? [keyUnknown] : []),
  ];
}

const keyUnknown: Found = {
  sentence: 'the daemon was started without the key that this shell has',
  detail: 'HOSTEDLLM_API_KEY',
  repair: 'run: memd restart',
};

function judgeDrain(config: Config, { local, hasKey, raw }: Seen): Found[] {
  const { 'drain.backend': backend, 'drain.fallback': fallback, 'localllm.model': model } = config;
  const endpoint = publicAddress(config['localllm.endpoint']);
  if (backend === 'hosted') return hasKey ? [] : [noKey];
  if (local.probe.state === 'ready') {
    if (local.lacksModel === null) return [];
    const sentence = 'the local runtime has not the model that summarises';
    return [{ sentence, detail: `${model} at ${endpoint}`, repair: `run: ollama pull ${model}` }];
  }
  const severity = raw > 0 ? 'error' : 'note';
  const detail = `${endpoint}: ${local.probe.state === 'lacking' ? 'no model' : local.probe.error}`;
  if (backend === 'auto' && local.probe.state === 'absent') {
    if (hasKey) return [];
    if (fallback === 'builtin') return [standIn(detail)];
    const repair = 'start the local model runtime (ollama serve), or run: memd init (the builtin summariser)';
    return [
      { severity, sentence: 'no drain backend available, so that nothing is summarised', detail, repair },
    ];
  }
  const repair = 'start it anew (ollama serve), or set drain.backend to "auto"';
  return [{ severity, sentence: 'the local model runtime does not answer', detail, repair }];
}

const noKey: Found = {
  severity: 'error',
  sentence: 'drain.backend is hosted and there is no key: nothing is summarised',
  detail: 'HOSTEDLLM_API_KEY is not set',
  repair: 'set it in the environment, then run: memd restart',
};

function standIn(detail: string): Found {
  return {
    severity: 'note',
    sentence: 'no local model answers; the builtin summariser does its work',
    detail,
    repair: 'better summaries: docs/models.md',
  };
}

function judgeEmbedding({ 'localllm.embedModel': model, 'localllm.endpoint': endpoint }: Config): Found {
  return {
    sentence:
      'the local runtime has not the model that embeds; search goes by words and the built-in embedder',
    detail: `${model} at ${publicAddress(endpoint)}`,
    repair: `run: ollama pull ${model}`,
  };
}

function hostedAway({ 'hostedllm.endpoint': endpoint }: Config, why: string): Found {
  return {
    sentence: 'nobody is at the address of the paid model',
    detail: `${publicAddress(endpoint)}: ${why}`,
    repair: 'look at the network, or correct hostedllm.endpoint, then run: memd restart',
  };
}

async function lookAtLocal(config: Config, stop: AbortSignal): Promise<Local> {
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

/** Null when they cannot be used, which another check tells. */
function settingsOf({ workspace, env }: Looked): { config: Config; hasKey: boolean } | null {
  try {
    const { config } = loadConfig(workspace.config, env);
    return { config, hasKey: hostedKey(env, config) !== null };
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}
