import type { Backend, HostedBackend } from './backend.ts';
import type { LocalBackend } from './local.ts';

const probePatienceMs = 10_000;

/** The part of the configuration that decides: `drain.backend` and `drain.fallback`. */
export interface ChoiceSettings {
  readonly backend: 'auto' | 'local' | 'hosted' | 'builtin';
  readonly fallback: 'none' | 'builtin';
}

export interface Backends {
  readonly local: LocalBackend;
  /** Null without `HOSTEDLLM_API_KEY`. */
  readonly hosted: HostedBackend | null;
  readonly builtin: Backend;
}

export type Choice = Chosen | { readonly error: string };

export interface Chosen {
  readonly backend: Backend;
  /** Why a better backend is not used, if that can be repaired; else null. */
  readonly hint: string | null;
}

/**
 * The backend to refine with: the one that a drain would use now, unless it is the builtin one.
 */
export async function chooseBetter(
  settings: ChoiceSettings,
  backends: Backends,
  signal: AbortSignal,
): Promise<Choice> {
  const none = 'no better drain backend than builtin available';
  if (settings.backend === 'builtin')
    return { error: `${none}: drain.backend is builtin. Set it to auto, local or hosted.` };
  const choice = await chooseBackend(settings, backends, signal);
  if ('error' in choice || choice.backend.name !== 'builtin') return choice;
  const why =
    choice.hint ??
    `start the local model runtime at ${backends.local.endpoint}${backends.hosted === null ? ', or set HOSTEDLLM_API_KEY' : ''}`;
  return { error: `${none}: ${why}` };
}

/**
 * The backend for one drain. Chosen for each drain, so that one that comes up later is used. The paid one never
 * replaces a local runtime that is slow or does not answer: that is an error, and the rows wait.
 */
export async function chooseBackend(
  settings: ChoiceSettings,
  backends: Backends,
  signal: AbortSignal,
): Promise<Choice> {
  switch (settings.backend) {
    case 'builtin':
      return { backend: backends.builtin, hint: null };
    case 'local': {
      const found = await patientProbe(backends.local, signal);
      return found.state === 'ready' ? { backend: backends.local, hint: null } : { error: found.error };
    }
    case 'hosted':
      return chooseHosted(backends.hosted, signal);
    case 'auto':
      return chooseAny(settings.fallback, backends, signal);
  }
}

async function chooseHosted(hosted: HostedBackend | null, signal: AbortSignal): Promise<Choice> {
  if (hosted === null) return { error: noKey };
  const error = await hosted.unavailable(signal);
  return error === null ? { backend: hosted, hint: null } : { error };
}

async function chooseAny(
  fallback: ChoiceSettings['fallback'],
  { local, hosted, builtin }: Backends,
  signal: AbortSignal,
): Promise<Choice> {
  const found = await patientProbe(local, signal);
  if (found.state === 'ready') return { backend: local, hint: null };
  if (found.state === 'unwell') return { error: found.error };
  // A local runtime without the model: the free backend comes before the paid one (decision 9).
  const lacks = found.state === 'lacking' ? found.error : null;
  if (lacks !== null && fallback === 'builtin') return { backend: builtin, hint: lacks };
  const paid = hosted === null ? null : await chooseHosted(hosted, signal);
  if (paid !== null && 'backend' in paid) return { ...paid, hint: lacks };
  if (lacks !== null) return { error: lacks };
  if (fallback === 'builtin') return { backend: builtin, hint: paid?.error ?? null };
  return { error: noneWords(local.endpoint, paid?.error ?? null) };
}

/** On a busy machine the runtime may need longer to answer than a quick probe allows. */
async function patientProbe(local: LocalBackend, signal: AbortSignal) {
  const found = await local.probe(signal);
  return found.state === 'unwell' && !signal.aborted ? local.probe(signal, probePatienceMs) : found;
}

const noKey =
  'drain.backend is hosted, but HOSTEDLLM_API_KEY is not set. Set it in the environment of the daemon and of `memd drain`.';

function noneWords(endpoint: string, hostedError: string | null): string {
  const second = hostedError === null ? 'set HOSTEDLLM_API_KEY' : `repair the hosted API (${hostedError})`;
  const third = 'run `memd init` to use the builtin summariser (drain.fallback)';
  return `no drain backend available: start the local model runtime at ${endpoint}, ${second}, or ${third}`;
}
