/**
 * Speaking to a model's HTTP API: one question, one bounded reply, and words for what went wrong.
 * Promises: it never throws for what a network does, never waits longer or reads more than the question
 * allows, never follows a redirect, leaves no socket behind that holds the process, and never shows a key.
 * Knows neither prompts nor vectors: see `summarise/` and `embed/`.
 */
export { publicAddress } from './address.ts';
export { apiErrorWords, isRefusal, isRetryable } from './api-error.ts';
export type { Answered, Reply, Silent } from './http.ts';
export {
  ollamaDigest,
  ollamaErrorWords,
  ollamaLacks,
  ollamaProvider,
  ollamaShapeWords,
  type Probe,
  probeOllama,
} from './ollama.ts';
export { absenceAt } from './reach.ts';
export { askPatiently, type RetryPolicy, retryPolicy } from './retry.ts';
