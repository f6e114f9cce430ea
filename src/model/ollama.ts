import { probeTimeoutMs } from '../limits.ts';
import { apiErrorWords, errorDetail } from './api-error.ts';
import { ask } from './http.ts';

export const ollamaProvider = 'ollama';

/**
 * What a look at the local runtime found. `absent`: nobody is there. `unwell`: somebody listens but gives no answer in
 * time, or breaks off; a merely slow runtime looks like that, so it is no reason to turn to a paid one.
 */
export type Probe =
  | { readonly state: 'ready' }
  | { readonly state: 'absent' | 'unwell'; readonly error: string };

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

/** `ollama API error: <status> <why>`, with the repair where one is known. */
export function ollamaErrorWords(status: number, body: string, model: string): string {
  if (status === 404 && /not found/i.test(errorDetail(body))) {
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
