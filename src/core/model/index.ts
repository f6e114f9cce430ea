/**
 * HTTP to a model's API: one request, one bounded reply, and an error message.
 * Promises: it never throws for a network error, never waits longer or reads more than the request allows, never follows a
 * redirect, leaves no socket open that holds the process, and never shows a key. Knows neither prompts nor vectors.
 */
export { publicAddress } from './address.ts';
export { apiErrorWords, isRefusal, isRetryable } from './api-error.ts';
export type { Answered, Reply, Silent } from './http.ts';
export * from './ollama.ts';
export { absenceAt } from './reach.ts';
export { askPatiently, type ModelAccess, retryPolicy } from './retry.ts';
