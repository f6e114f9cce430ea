import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { bridgeBodyBytesMax, bridgeHeaderBytesMax, bridgeRequestMs } from '#core/limits';
import { type Answer, json, refused, refusedFor, send, setHeaders } from './answer.ts';
import type { Codes } from './codes.ts';
import { Connections } from './connections.ts';
import { bearerOf, type Target, targetOf, whyForeign } from './guard.ts';
import { answerOf, type Route } from './routes.ts';
import type { Streams } from './streams.ts';
import type { Token } from './token.ts';
import { challenge, type UnlockPage } from './unlock-page.ts';

// How long a closing bridge waits for running answers.
const bridgeFinishMs = 1_000;
const bridgeSweepMs = 1_000;

export interface ServerParts {
  readonly token: Token;
  readonly codes: Codes;
  readonly routes: (path: string) => Route | null;
  readonly assets: ReadonlyMap<string, Answer>;
  /** For a browser without the token. */
  readonly unlock: UnlockPage;
  readonly streams: Streams;
  /** Called when a used code is presented again: two persons had it. */
  readonly usedAgain: () => void;
  /** Called at a request with the token. */
  readonly active: () => void;
  /** Takes what was thrown that is not a refusal. */
  readonly internal: (error: unknown) => void;
  /** How long a request may take to arrive. */
  readonly requestMs?: number | undefined;
}

/** The HTTP side: the guard's checks in their order, then the route. */
export class BridgeServer {
  readonly http: Server;
  readonly #parts: ServerParts;
  readonly #connections: Connections;
  #port = 0;

  constructor(parts: ServerParts) {
    this.#parts = parts;
    const requestMs = parts.requestMs ?? bridgeRequestMs;
    this.http = createServer({
      // The guard checks it.
      requireHostHeader: false,
      insecureHTTPParser: false,
      maxHeaderSize: bridgeHeaderBytesMax,
      requestTimeout: requestMs,
      headersTimeout: requestMs,
      connectionsCheckingInterval: Math.min(bridgeSweepMs, requestMs),
    });
    // By default Node drops headers beyond 2,000, among which a foreign Origin could hide. Their bytes are limited.
    this.http.maxHeadersCount = 0;
    this.#connections = new Connections(this.http);
    const handle = (request: IncomingMessage, response: ServerResponse): void => {
      if (this.#connections.begun(request.socket, response))
        this.#guarded(request.socket, this.#handle(request, response));
    };
    this.http.on('request', handle);
    this.http.on('checkContinue', (request, response) => {
      if (Number(request.headers['content-length'] ?? 0) <= bridgeBodyBytesMax) response.writeContinue();
      handle(request, response);
    });
    this.http.on('checkExpectation', handle);
    this.http.on('connect', (request, socket) => this.#guarded(socket, this.#connect(request, socket)));
  }

  listensOn(port: number): void {
    this.#port = port;
  }

  /** Stops listening, answers running requests and ends every connection. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.http.close(() => resolve());
      this.#connections.closeAll(bridgeFinishMs);
    });
  }

  /** An error in a request costs its connection, never the daemon. */
  #guarded(socket: Duplex, work: Promise<void>): void {
    work.catch((error: unknown) => {
      socket.destroy();
      this.#parts.internal(error);
    });
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const answer = await this.#answer(request, response);
      if (answer !== null) send(request, response, answer);
    } catch (error) {
      const refusal = refusedFor(error);
      if (refusal === null) this.#parts.internal(error);
      send(request, response, refusal ?? refused(500, 'internal', 'the request failed. Run `memd logs`.'));
    }
  }

  /** Null when the response has become a stream. */
  async #answer(request: IncomingMessage, response: ServerResponse): Promise<Answer | null> {
    const { url = '', rawHeaders, method, headers } = request;
    const foreign = whyForeign({ target: url, rawHeaders }, this.#port);
    if (foreign !== null) return refused(403, 'forbidden', foreign);
    const target = targetOf(url);
    const bearer = bearerOf(rawHeaders);
    const { token, active, unlock } = this.#parts;
    if (target.path === '/api/unlock' && method === 'POST') return this.#unlock(bearer);
    if (bearer === null || !token.fits(bearer)) {
      // A browser that opens a wrong address gets it too.
      const isPage = headers.accept?.includes('text/html') && target.path?.startsWith('/api/') === false;
      const isRead = method === 'GET' || method === 'HEAD';
      return isRead && (isPage || target.path === '/') ? unlock : locked(noToken);
    }
    this.#connections.trust(request.socket);
    active();
    return this.#route(target, request, response);
  }

  #unlock(bearer: string | null): Answer {
    const { token, codes, usedAgain } = this.#parts;
    const presented = bearer === null ? 'unknown' : codes.spend(bearer);
    if (presented === 'opens') return json(JSON.stringify({ token: token.text }));
    if (presented === 'unknown') return locked(spentCode);
    usedAgain();
    return refused(401, 'code_used', usedCode, challenge);
  }

  async #route(target: Target, request: IncomingMessage, response: ServerResponse): Promise<Answer | null> {
    if (!['GET', 'HEAD', 'POST'].includes(request.method ?? ''))
      return refused(405, 'method_not_allowed', 'only GET, HEAD and POST here', { Allow: 'GET, HEAD, POST' });
    const { routes, assets, streams } = this.#parts;
    const { path } = target;
    if (path === '/api/unlock') return answerOf({ method: 'POST' }, target, request);
    if (path === '/api/stream') {
      const answer = await answerOf({ method: 'GET' }, target, request);
      return answer ?? this.#stream(request, response, streams);
    }
    const asset = path === null ? undefined : assets.get(path);
    if (asset !== undefined) return answerOf({ method: 'GET', answer: async () => asset }, target, request);
    const route = path === null ? null : routes(path);
    if (route === null) return refused(404, 'not_found', 'this path does not exist');
    return answerOf(route, target, request);
  }

  #stream(request: IncomingMessage, response: ServerResponse, streams: Streams): null {
    if (request.method !== 'HEAD') streams.check();
    setHeaders(response, { 'Content-Type': 'text/event-stream; charset=utf-8' });
    response.statusCode = 200;
    if (request.method === 'HEAD') response.end();
    else streams.add(response);
    return null;
  }

  /**
   * Node gives the bare socket; the request is answered like any other and never becomes a tunnel. While another answer is due on the
   * socket, it is ended.
   */
  async #connect(request: IncomingMessage, socket: Duplex): Promise<void> {
    // An error after the refusal does not matter.
    socket.on('error', () => {});
    if (this.#connections.isBusy(request.socket)) {
      socket.destroy();
      return;
    }
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(request.socket);
    // Node no longer tracks this connection, so it must be ended here.
    response.once('finish', () => request.socket.destroySoon());
    await this.#handle(request, response);
  }
}

const noToken = 'the token is missing or wrong. Run `memd web`.';
const spentCode = 'the code is older than a minute, or is not a code. Run `memd web`.';
const usedCode = 'the code was used before, so the token was changed. Run `memd web`.';

function locked(message: string): Answer {
  return refused(401, 'unauthorized', message, challenge);
}
