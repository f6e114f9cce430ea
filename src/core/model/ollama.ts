import { objectsAt, parseObject, stringAt } from '#core/event';
import { probeTimeoutMs } from '../limits.ts';
import { apiErrorWords, errorDetail } from './api-error.ts';
import { ask } from './http.ts';

export const ollamaProvider = 'ollama';

/**
 * The state of the local runtime. `absent`: nothing listens. `unwell`: it gives no answer in time, or breaks off; a slow runtime
 * looks like that too, so it is not a reason to use a paid one. `lacking`: it answers that it does not have the model.
 */
export type Probe =
  | { readonly state: 'ready' }
  | { readonly state: 'absent' | 'unwell' | 'lacking'; readonly error: string };

/** Asks `GET /api/version`; any answer means that the runtime runs. */
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
 * Why the runtime cannot use `model`, or null. The list (`GET /api/tags`) is cheap; a name that is not in it is asked for
 * (`POST /api/show`), since the runtime accepts other spellings. Any other answer, or none, counts as null.
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

/** The digest of the runtime's build of a model, or null. */
export async function ollamaDigest(
  endpoint: string,
  model: string,
  signal: AbortSignal,
): Promise<string | null> {
  const list = await ask({ base: endpoint, path: '/api/tags', timeoutMs: probeTimeoutMs }, signal);
  if (list.kind === 'silent' || list.status !== 200) return null;
  return listed(list.text).get(fullName(model)) ?? null;
}

/** https://github.com/ollama/ollama/blob/main/docs/api.md, `GET /api/tags`: digests by model name. */
function listed(body: string): ReadonlyMap<string, string | null> {
  const known = objectsAt(parseObject(body) ?? {}, 'models');
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
  if (status === 404 && saysNotFound(body))
    return `${ollamaProvider} API error: 404 model "${model}" not found. Run \`ollama pull ${model}\`.`;
  return apiErrorWords(ollamaProvider, status, body);
}

/** The error for a 200 without the API's shape; it may contain `{"error": ...}`. */
export function ollamaShapeWords(body: string): string {
  const detail = errorDetail(body);
  return detail === ''
    ? `${ollamaProvider} API error: 200 with a reply that is not Ollama's`
    : apiErrorWords(ollamaProvider, 200, body);
}
