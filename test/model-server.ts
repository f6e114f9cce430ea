/**
 * A stand-in for both model APIs on one port of 127.0.0.1: Ollama's (`/api/version`, `/api/tags`, `/api/chat`, `/api/embed`)
 * and Anthropic's (`/v1/messages`). It answers believably (each summary names the event it is for), fails in any way a test
 * asks for, and records every request. It knows nothing of memd but that events stand in a prompt one a line, as JSON with
 * an integer `id`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { isObject, type Json, type JsonObject, own, stringAt } from '../src/event/index.ts';

export interface ModelServerSettings {
  /** The models that the local API knows. */
  readonly models?: readonly string[];
  /** The key that the hosted API takes; any when left out. */
  readonly apiKey?: string;
  /** Numbers in a vector of `/api/embed`. */
  readonly dimension?: number;
  /** The answers to the events of a prompt; `believable` when left out. */
  readonly answers?: (events: readonly PromptEvent[]) => readonly Json[];
  /** A port to take again after a stop; any free one when left out. */
  readonly port?: number;
}

/** An event as it was found in a prompt. */
export interface PromptEvent extends JsonObject {
  readonly id: number;
}

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed, or null when there was none. */
  readonly body: Json;
}

export type Endpoint = 'probe' | 'chat' | 'embed' | 'messages';

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

export interface ModelServer {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly RecordedRequest[];
  /** The recorded requests to one endpoint. */
  requestsTo(endpoint: Endpoint): readonly RecordedRequest[];
  /** The next `times` requests to the endpoint fail in this way; null ends all its faults. */
  fail(endpoint: Endpoint, fault: Fault | null, times?: number): void;
  /** Resolves when a request to the endpoint has arrived since the start. */
  arrived(endpoint: Endpoint): Promise<void>;
  /** Ends every connection and frees the port. May be called twice. */
  close(): Promise<void>;
}

export async function startModelServer(settings: ModelServerSettings = {}): Promise<ModelServer> {
  const state = newState(settings);
  const server = createServer((request, response) => {
    state.serve(request, response).catch((thrown: unknown) => response.destroy(asError(thrown)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = addressOf(server);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests: state.requests,
    requestsTo: (endpoint) => state.requests.filter(({ path }) => endpointOf(path) === endpoint),
    fail: state.fail,
    arrived: state.arrived,
    close: async () => {
      for (const timer of state.timers) clearInterval(timer);
      if (!server.listening) return;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A port of 127.0.0.1 where nobody listens (any more). */
export async function closedPort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = addressOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The events of a prompt: every line that is a JSON object with an integer `id`. */
export function eventsIn(prompt: string): readonly PromptEvent[] {
  return prompt.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    const event = parse(line);
    if (!isObject(event)) return [];
    const id = own(event, 'id');
    return typeof id === 'number' && Number.isInteger(id) ? [{ ...event, id }] : [];
  });
}

/** A summary that says which event it is for: its tool and the beginning of its input. */
export function believable(events: readonly PromptEvent[]): readonly Json[] {
  return events.map((event) => {
    const input = JSON.stringify(own(event, 'input') ?? null);
    const how = own(event, 'failed') === true ? 'It failed.' : 'It succeeded.';
    return {
      id: event.id,
      text: `The assistant used ${stringAt(event, 'tool') ?? 'a tool'} with ${input.slice(0, 160)}. ${how}`,
      terms: (input.match(/[\w./-]{3,}/g) ?? []).slice(0, 12).join(' '),
    };
  });
}

interface Planned {
  readonly fault: Fault;
  left: number;
}

function newState(settings: ModelServerSettings) {
  const requests: RecordedRequest[] = [];
  const plans = new Map<Endpoint, Planned[]>();
  const waiting: { readonly endpoint: Endpoint; readonly resolve: () => void }[] = [];
  const timers = new Set<NodeJS.Timeout>();

  const nextFault = (endpoint: Endpoint): Fault | null => {
    const planned = plans.get(endpoint)?.[0];
    if (planned === undefined) return null;
    planned.left--;
    if (planned.left <= 0) plans.get(endpoint)?.shift();
    return planned.fault;
  };
  const has = (endpoint: Endpoint) => requests.some(({ path }) => endpointOf(path) === endpoint);

  return {
    requests,
    timers,
    fail: (endpoint: Endpoint, fault: Fault | null, times = Number.POSITIVE_INFINITY) => {
      const before = fault === null ? [] : (plans.get(endpoint) ?? []);
      plans.set(endpoint, fault === null ? [] : [...before, { fault, left: times }]);
    },
    arrived: (endpoint: Endpoint) =>
      has(endpoint) ? Promise.resolve() : new Promise<void>((resolve) => waiting.push({ endpoint, resolve })),
    serve: async (request: IncomingMessage, response: ServerResponse) => {
      const recorded = await record(request);
      requests.push(recorded);
      for (const { endpoint, resolve } of waiting) if (has(endpoint)) resolve();
      const endpoint = endpointOf(recorded.path);
      const fault = endpoint === null ? null : nextFault(endpoint);
      const reply = replyTo(recorded, settings, fault?.kind === 'content' ? fault.text : null);
      deliver(response, endpoint, reply, fault, timers);
    },
  };
}

interface PlainReply {
  readonly status: number;
  readonly body: Json;
}

/** What a healthy server would say; `content` replaces the answers in it. */
function replyTo(
  request: RecordedRequest,
  settings: ModelServerSettings,
  content: string | null,
): PlainReply {
  const { models = ['llama3.2:3b', 'nomic-embed-text'], dimension = 64, answers = believable } = settings;
  const body = isObject(request.body) ? request.body : {};
  const model = stringAt(body, 'model') ?? '';
  const said = () => content ?? JSON.stringify({ summaries: answers(eventsIn(promptIn(body))) });
  switch (request.path) {
    case '/api/version':
      return { status: 200, body: { version: '0.12.0' } };
    case '/api/tags':
      return { status: 200, body: { models: models.map((name) => ({ name, model: name })) } };
    case '/api/chat':
      return models.includes(model) ? { status: 200, body: chatReply(model, said()) } : unknownModel(model);
    case '/api/embed':
      return models.includes(model)
        ? { status: 200, body: { model, embeddings: textsIn(body).map((text) => vectorOf(text, dimension)) } }
        : unknownModel(model);
    case '/v1/messages':
      return refused(request, settings.apiKey) ?? { status: 200, body: messageReply(model, said()) };
    default:
      return { status: 404, body: { error: 'no such path' } };
  }
}

function chatReply(model: string, content: string): Json {
  return {
    model,
    created_at: '2026-01-01T00:00:00Z',
    message: { role: 'assistant', content },
    done: true,
    done_reason: 'stop',
    total_duration: 1_000_000,
    prompt_eval_count: 100,
    eval_count: 20,
  };
}

function messageReply(model: string, text: string): Json {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 20 },
  };
}

function unknownModel(model: string): PlainReply {
  return { status: 404, body: { error: `model '${model}' not found` } };
}

/** The error of the hosted API for a request it does not take, or null. */
function refused({ headers }: RecordedRequest, apiKey: string | undefined): PlainReply | null {
  if (headers['anthropic-version'] === undefined)
    return anthropicError(400, 'anthropic-version: header is required');
  if (apiKey === undefined || headers['x-api-key'] === apiKey) return null;
  return anthropicError(401, 'invalid x-api-key');
}

function anthropicError(status: number, message: string): PlainReply {
  const type = errorTypes[status] ?? 'api_error';
  return { status, body: { type: 'error', error: { type, message }, request_id: 'req_1' } };
}

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function deliver(
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
    default:
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

async function record(request: IncomingMessage): Promise<RecordedRequest> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part));
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = String(value);
  }
  return {
    method: request.method ?? '',
    path: new URL(request.url ?? '/', 'http://127.0.0.1').pathname,
    headers,
    body: parse(Buffer.concat(parts).toString('utf8')) ?? null,
  };
}

function endpointOf(path: string): Endpoint | null {
  if (path === '/api/version' || path === '/api/tags') return 'probe';
  if (path === '/api/chat') return 'chat';
  if (path === '/api/embed') return 'embed';
  return path === '/v1/messages' ? 'messages' : null;
}

/** The texts of the messages of either API. */
function promptIn(body: JsonObject): string {
  const messages = own(body, 'messages');
  if (!Array.isArray(messages)) return '';
  return messages
    .map((message: Json) => (isObject(message) ? (stringAt(message, 'content') ?? '') : ''))
    .join('\n');
}

function textsIn(body: JsonObject): readonly string[] {
  const input = own(body, 'input');
  if (typeof input === 'string') return [input];
  return Array.isArray(input) ? input.filter((text) => typeof text === 'string') : [];
}

/** A bag of words, so that texts that share words are near each other. */
function vectorOf(text: string, dimension: number): readonly number[] {
  const vector = new Array<number>(dimension).fill(0);
  vector[0] = 0.01;
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let hash = 2_166_136_261;
    for (const char of word) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16_777_619) >>> 0;
    const slot = hash % dimension;
    vector[slot] = (vector[slot] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function parse(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

function addressOf(server: { address(): AddressInfo | string | null }): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address;
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
