import { isObject, own, parseJson, stringAt } from '../event/index.ts';
import { probeTimeoutMs } from '../limits.ts';
import { apiErrorWords, errorDetail } from './api-error.ts';
import { ask } from './http.ts';

export const ollamaProvider = 'ollama';

/**
 * What a look at the local runtime found. `absent`: nobody is there. `unwell`: somebody listens but gives no answer in
 * time, or breaks off; a merely slow runtime looks like that, so it is no reason to turn to a paid one. `lacking`: it
 * answers and says that it has not the model.
 */
export type Probe =
  | { readonly state: 'ready' }
  | { readonly state: 'absent' | 'unwell' | 'lacking'; readonly error: string };

/** Asks `GET /api/version`; any answer at all says that the runtime is there. */
export async function probeOllama(
  endpoint: string,
  signal: AbortSignal,
  timeoutMs = probeTimeoutMs,
): Promise<Probe> {
  const reply = await ask({ base: endpoint, path: '/api/version', timeoutMs }, signal);
  if (reply.kind === 'answered') return { state: 'ready' };
  return { state: reply.reach === 'absent' ? 'absent' : 'unwell', error: reply.error };
}

/**
 * Why a runtime that is there cannot use `model`, or null. It is lacking only when the runtime says so itself: the list
 * (`GET /api/tags`) is a cheap look, and a name that is not in it is asked for (`POST /api/show`), since the runtime knows
 * more ways to write a name. No answer, or another one, is no reason to pass it over.
 */
export async function ollamaLacks(
  endpoint: string,
  model: string,
  signal: AbortSignal,
  timeoutMs = probeTimeoutMs,
): Promise<string | null> {
  const list = await ask({ base: endpoint, path: '/api/tags', timeoutMs }, signal);
  if (list.kind === 'silent' || list.status !== 200) return null;
  if (listed(list.text).has(fullName(model))) return null;
  const shown = await ask({ base: endpoint, path: '/api/show', body: { model }, timeoutMs }, signal);
  if (shown.kind === 'silent' || shown.status !== 404) return null;
  return saysNotFound(shown.text) ? ollamaErrorWords(404, shown.text, model) : null;
}

/** The digest of the build that the runtime has under a model's name; null when it does not tell. */
export async function ollamaDigest(
  endpoint: string,
  model: string,
  signal: AbortSignal,
): Promise<string | null> {
  const list = await ask({ base: endpoint, path: '/api/tags', timeoutMs: probeTimeoutMs }, signal);
  if (list.kind === 'silent' || list.status !== 200) return null;
  return listed(list.text).get(fullName(model)) ?? null;
}

/** https://github.com/ollama/ollama/blob/main/docs/api.md, `GET /api/tags`: the models that are there, by name, with their digests. */
function listed(body: string): ReadonlyMap<string, string | null> {
  const parsed = parseJson(body);
  const models = isObject(parsed) ? own(parsed, 'models') : undefined;
  const known = Array.isArray(models) ? models.filter(isObject) : [];
  return new Map(
    known.map((model) => [fullName(stringAt(model, 'name') ?? ''), stringAt(model, 'digest') ?? null]),
  );
}

/** A name without a tag means `latest`. */
function fullName(model: string): string {
  return (/:[^/]*$/.test(model) ? model : `${model}:latest`).toLowerCase();
}

function saysNotFound(body: string): boolean {
  return /not found/i.test(errorDetail(body));
}

/** `ollama API error: <status> <why>`, with the repair where one is known. */
export function ollamaErrorWords(status: number, body: string, model: string): string {
  if (status === 404 && saysNotFound(body)) {
    return `${ollamaProvider} API error: 404 model "${model}" not found; run: ollama pull ${model}`;
  }
  return apiErrorWords(ollamaProvider, status, body);
}

/** The words for a 200 that has not the API's shape: a failure may come under it too, as `{"error": ...}`. */
export function ollamaShapeWords(body: string): string {
  const detail = errorDetail(body);
  return detail === ''
    ? `${ollamaProvider} API error: 200 with a reply that is not Ollama's`
    : apiErrorWords(ollamaProvider, 200, body);
}
