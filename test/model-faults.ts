/** How a model server's answer goes out, right or wrong. */
import type { ServerResponse } from 'node:http';
import type { Json } from '#core/event';
import { anthropicError, type Endpoint, type PlainReply } from './model-replies.ts';

/**
 * How a request goes wrong. `hang`: no answer at all. `slow`: the right answer, one byte at a time with pauses. `garbage`: a
 * page of HTML. `truncated`: half of the right body. `content`: the right shape around this text instead of the answers.
 * `status`: an error reply. `redirect`: a 307. `oversized`: that many bytes. `reset`: the socket is closed.
 */
export type Fault =
  | { readonly kind: 'hang' | 'garbage' | 'truncated' | 'reset' }
  | { readonly kind: 'slow'; readonly pauseMs: number }
  | { readonly kind: 'delay'; readonly delayMs: number }
  | { readonly kind: 'content'; readonly text: string }
  | { readonly kind: 'body'; readonly body: Json }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfter?: string;
      readonly message?: string;
    }
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'oversized'; readonly bytes: number };

/** Sends `reply`, or what `fault` makes of it; timers it starts are added to `timers`. */
export function deliver(
  response: ServerResponse,
  endpoint: Endpoint | null,
  reply: PlainReply,
  fault: Fault | null,
  timers: Set<NodeJS.Timeout>,
): void {
  const json = JSON.stringify(reply.body);
  const asJson = { 'content-type': 'application/json' };
  switch (fault?.kind) {
    case 'hang':
      return;
    case 'reset':
      response.destroy();
      return;
    case 'garbage':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Welcome</body></html>');
      return;
    case 'truncated':
      response.writeHead(200, asJson).end(json.slice(0, Math.floor(json.length / 2)));
      return;
    case 'body':
      response.writeHead(200, asJson).end(JSON.stringify(fault.body));
      return;
    case 'redirect':
      response.writeHead(307, { location: fault.to }).end();
      return;
    case 'oversized':
      response.writeHead(200, asJson).end(' '.repeat(fault.bytes));
      return;
    case 'status':
      response.writeHead(fault.status, {
        ...asJson,
        ...(fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter }),
      });
      response.end(JSON.stringify(errorBody(endpoint, fault.status, fault.message ?? 'as the test asked')));
      return;
    case 'delay':
      timers.add(setTimeout(() => response.writeHead(reply.status, asJson).end(json), fault.delayMs));
      return;
    case 'slow':
      trickle(response.writeHead(reply.status, asJson), json, fault.pauseMs, timers);
      return;
    case 'content':
    case undefined:
      response.writeHead(reply.status, asJson).end(json);
  }
}

function errorBody(endpoint: Endpoint | null, status: number, message: string): Json {
  return endpoint === 'messages' ? anthropicError(status, message).body : { error: message };
}

function trickle(response: ServerResponse, text: string, pauseMs: number, timers: Set<NodeJS.Timeout>): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at < text.length && !response.destroyed) response.write(text.charAt(at++));
    else {
      clearInterval(timer);
      response.end();
    }
  }, pauseMs);
  timers.add(timer);
}
