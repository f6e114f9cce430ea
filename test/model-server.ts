/**
 * A stand-in for both model APIs on one port of 127.0.0.1: Ollama's (`/api/version`, `/api/tags`, `/api/show`, `/api/chat`, `/api/embed`)
 * and Anthropic's (`/v1/messages`). It answers believably (each summary names the event it is for), fails in any way a test
 * asks for, and records every request. It knows nothing of memd but that events stand in a prompt one a line, as JSON with
 * an integer `id`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { deliver, type Fault } from './model-faults.ts';
import {
  type Endpoint,
  endpointOf,
  parse,
  type RecordedRequest,
  type ReplySettings,
  replyTo,
} from './model-replies.ts';

export type { Fault } from './model-faults.ts';
export {
  believable,
  type Endpoint,
  eventsIn,
  type PromptEvent,
  type RecordedRequest,
  undecided,
} from './model-replies.ts';

export interface ModelServerSettings extends ReplySettings {
  /** A port to take again after a stop; any free one when left out. */
  readonly port?: number;
}

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

function addressOf(server: { address(): AddressInfo | string | null }): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address;
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
