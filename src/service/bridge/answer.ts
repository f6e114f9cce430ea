import type { IncomingMessage, ServerResponse } from 'node:http';
import { Failure } from '#core/platform';
import { barePolicy } from './policy.ts';

// Read and discarded, so that a client that sends too much still reads the answer.
const bridgeDiscardBytesMax = 8 * 1024 * 1024;

const bridgeAnswerMs = 30_000;

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export function json(body: string | Uint8Array, status = 200): Answer {
  return { status, type: 'application/json; charset=utf-8', body };
}

/** `{"error":{"code","message"}}` */
export function refused(status: number, code: string, message: string, headers = {}): Answer {
  return { ...json(JSON.stringify({ error: { code, message } }), status), headers };
}

/** The answer for a Failure; null for a broken invariant, whose details stay in the log. */
export function refusedFor(thrown: unknown): Answer | null {
  if (!(thrown instanceof Failure)) return null;
  return refused(statuses[thrown.code] ?? 503, thrown.code, thrown.message);
}

/** Sends an answer; a client that does not read it in time is disconnected. */
export function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  if (response.headersSent || response.destroyed) return;
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
  setHeaders(response, answer.headers);
  response.setHeader('Content-Type', answer.type);
  response.setHeader('Content-Length', body.byteLength);
  response.statusCode = answer.status;
  discardRest(request);
  const timer = setTimeout(() => response.destroy(), bridgeAnswerMs).unref();
  response.once('close', () => clearTimeout(timer));
  response.end(body);
}

/** The headers of every answer. Never a CORS header. */
export function setHeaders(response: ServerResponse, more: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries({ ...commonHeaders, ...more })) response.setHeader(name, value);
}

export const commonHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': barePolicy,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

const statuses: Readonly<Record<string, number>> = { bad_request: 400, not_found: 404, too_large: 413 };

/** Reads and drops the rest of a body, up to a limit. */
function discardRest(request: IncomingMessage): void {
  if (request.complete) return;
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bridgeDiscardBytesMax) request.destroy();
  });
}
