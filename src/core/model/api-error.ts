import { isObject, objectAt, parseJson, stringAt } from '#core/event';

export const errorDetailCharsMax = 300;

/**
 * `<provider> API error: <status> <the server's words>`, on one line and within bounds. The words are those at
 * `error` (Ollama) or `error.message` (Anthropic) of a JSON body; any other body is not repeated.
 */
export function apiErrorWords(provider: string, status: number, body: string, secret?: string): string {
  const detail = errorDetail(body);
  const shown = cleaned(secret === undefined ? detail : withoutSecret(detail, secret));
  return `${provider} API error: ${status}${shown === '' ? '' : ` ${shown}`}`;
}

/** Whether the same request may succeed later: too many requests, or an error of the server. */
export function isRetryable(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** Whether the status (400, 413, 422, ...) blames this request, not the key, the model, the address or the load. */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && !ofEveryQuestion.has(status);
}

const ofEveryQuestion: ReadonlySet<number> = new Set([
  401, 402, 403, 404, 405, 407, 408, 409, 410, 421, 425, 426, 429, 451,
]);

/** `text` without `secret` and without anything in the form of a key: servers echo parts of keys. */
export function withoutSecret(text: string, secret: string): string {
  const bare = secret === '' ? text : text.split(secret).join('<redacted:api-key>');
  return bare.replace(/\bsk-[\w.*-]{4,}/g, '<redacted:api-key>');
}

/** The server's message in an error body, or nothing. */
export function errorDetail(body: string): string {
  const parsed = parseJson(body);
  if (!isObject(parsed)) return '';
  const nested = objectAt(parsed, 'error');
  return (nested ? stringAt(nested, 'message') : stringAt(parsed, 'error')) ?? '';
}

function cleaned(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Cf}\p{Surrogate}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= errorDetailCharsMax) return line;
  return `${line.slice(0, errorDetailCharsMax).replace(/[\ud800-\udbff]$/, '')}...`;
}
