import { probePatienceMs } from '../limits.ts';
import type { Backend } from './backend.ts';
import type { LocalBackend } from './local.ts';

/** The part of the configuration that decides: `drain.backend` and `drain.fallback`. */
export interface ChoiceSettings {
  readonly backend: 'auto' | 'local' | 'hosted' | 'builtin';
  readonly fallback: 'none' | 'builtin';
}

export interface Backends {
  readonly local: LocalBackend;
  /** Null without `HOSTEDLLM_API_KEY`. */
  readonly hosted: Backend | null;
  readonly builtin: Backend;
}

export type Choice = { readonly backend: Backend } | { readonly error: string };

/**
 * The backend for one drain (CONTRACT 5). Asked anew each time, so that one that comes up later is used. The paid one is
 * never a stand-in for a local runtime that is there but slow or unwell: that is an error, and the rows wait.
 */
export async function chooseBackend(
  settings: ChoiceSettings,
  backends: Backends,
  signal: AbortSignal,
): Promise<Choice> {
  switch (settings.backend) {
    case 'builtin':
      return { backend: backends.builtin };
    case 'local': {
      const found = await patientProbe(backends.local, signal);
      return found.state === 'ready' ? { backend: backends.local } : { error: found.error };
    }
    case 'hosted':
      return chooseHosted(backends.hosted, signal);
    case 'auto':
      return chooseAny(settings.fallback, backends, signal);
  }
}

async function chooseHosted(hosted: Backend | null, signal: AbortSignal): Promise<Choice> {
  if (hosted === null) return { error: noKey };
  const error = await hosted.unavailable(signal);
  return error === null ? { backend: hosted } : { error };
}

async function chooseAny(
  fallback: ChoiceSettings['fallback'],
  { local, hosted, builtin }: Backends,
  signal: AbortSignal,
): Promise<Choice> {
  const found = await patientProbe(local, signal);
  if (found.state === 'ready') return { backend: local };
  if (found.state === 'unwell') return { error: found.error };
  const paid = hosted === null ? null : await chooseHosted(hosted, signal);
  if (paid !== null && 'backend' in paid) return paid;
  if (fallback === 'builtin') return { backend: builtin };
  return { error: noneWords(local.endpoint, paid?.error ?? null) };
}

/** A busy machine may take longer than a quick look allows to say that the runtime is there. */
async function patientProbe(local: LocalBackend, signal: AbortSignal) {
  const found = await local.probe(signal);
  return found.state === 'unwell' && !signal.aborted ? local.probe(signal, probePatienceMs) : found;
}

const noKey =
  'drain.backend is hosted, but HOSTEDLLM_API_KEY is not set; set it in the environment of the daemon and of memd drain';

function noneWords(endpoint: string, hostedError: string | null): string {
  const second = hostedError === null ? 'set HOSTEDLLM_API_KEY' : `repair the hosted API (${hostedError})`;
  const third = 'run `memd init` to use the builtin summariser (drain.fallback)';
  return `no drain backend available: start the local model runtime at ${endpoint}, ${second}, or ${third}`;
}
