import type { JsonObject } from '#core/event';
import { addressOf } from './address.ts';
import { withoutSecret } from './api-error.ts';
import { causeWords, isAbsence } from './cause.ts';
import { absenceAt } from './reach.ts';

const replyBytesMax = 8 * 1024 * 1024;

/** One HTTP request to a model's API: with a `body` a POST of JSON, else a GET. */
export interface Question {
  /** The base address, without the API's path. */
  readonly base: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
  /** For the whole exchange, including the reply. */
  readonly timeoutMs: number;
  readonly bytesMax?: number;
  /** A key that no error may contain. */
  readonly secret?: string;
}

export type Reply = Answered | Silent;

/** The server answered, whatever the status. */
export interface Answered {
  readonly kind: 'answered';
  readonly status: number;
  readonly text: string;
  /** The server's `retry-after`, or null. */
  readonly retryAfterMs: number | null;
}

/**
 * No complete reply. `absent`: nothing listens (refused, unresolvable, no route); `timeout`: too slow; `broken`: the
 * exchange broke off or was too large; `stopped`: the caller's signal.
 */
export interface Silent {
  readonly kind: 'silent';
  readonly reach: 'absent' | 'timeout' | 'broken' | 'stopped';
  readonly error: string;
}

/** Sends one request. Never rejects: a network error is in the reply. */
export async function ask(question: Question, signal: AbortSignal): Promise<Reply> {
  // The first fetch takes 12 MiB for good. Most machines run no model, and a plain connection finds that out.
  const absence = isLoopback(question.base) ? await absenceAt(question.base, signal) : null;
  if (absence !== null) return { kind: 'silent', reach: 'absent', error: absence };
  return exchange(question, signal);
}

function isLoopback(base: string): boolean {
  return URL.canParse(base) && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(base).hostname);
}

async function exchange(question: Question, signal: AbortSignal): Promise<Reply> {
  const ending = new AbortController();
  const stop = () => ending.abort();
  const timer = setTimeout(stop, question.timeoutMs);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const response = await send(question, ending.signal);
    const text = await readWithin(response, question.bytesMax ?? replyBytesMax);
    return { kind: 'answered', status: response.status, text, retryAfterMs: retryAfterOf(response) };
  } catch (thrown) {
    return silence(thrown, question, signal.aborted, ending.signal.aborted);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    // A reply that was not read completely still holds its socket.
    ending.abort();
  }
}

class TooLarge extends Error {}

function send(question: Question, signal: AbortSignal): Promise<Response> {
  const { url, authorization } = addressOf(question.base, question.path);
  const headers: Record<string, string> = {
    accept: 'application/json',
    // An idle socket would be reused after the server closed it, and outlive a command.
    connection: 'close',
    ...(authorization === null ? {} : { authorization }),
    ...(question.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...question.headers,
  };
  // A redirect would carry the key and the developer's data to an address nobody configured.
  const always = { headers, signal, redirect: 'manual' } as const;
  return question.body === undefined
    ? fetch(url, { ...always, method: 'GET' })
    : fetch(url, { ...always, method: 'POST', body: JSON.stringify(question.body) });
}

async function readWithin(response: Response, bytesMax: number): Promise<string> {
  if (response.body === null) return '';
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body) {
    bytes += part.byteLength;
    if (bytes > bytesMax) throw new TooLarge(`the reply is larger than ${bytesMax} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function silence(thrown: unknown, question: Question, stopped: boolean, aborted: boolean): Silent {
  if (stopped) return { kind: 'silent', reach: 'stopped', error: 'stopped before an answer came' };
  if (aborted) return timedOut(question.timeoutMs);
  const words = withoutSecret(causeWords(thrown), question.secret ?? '');
  const reach = isAbsence(thrown) ? 'absent' : 'broken';
  return { kind: 'silent', reach, error: `fetch failed: ${words}` };
}

export function timedOut(afterMs: number): Silent {
  return { kind: 'silent', reach: 'timeout', error: `fetch failed: timeout after ${afterMs} ms` };
}

/** RFC 9110 10.2.3: seconds, or a date. */
function retryAfterOf(response: Response): number | null {
  const value = response.headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return null;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
