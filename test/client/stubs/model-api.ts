import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject, type Json, type JsonObject } from '#core/event';
import type { Dialect, ModelCall, ModelTurn } from './dialect.ts';

interface Received {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/**
 * A model behind one of the real APIs, on loopback, that makes the calls of a script one after the other. Which one is next it
 * reads from the conversation itself (each request holds the results of all calls before), so a repeated request
 * gets the same answer again.
 */
export class ModelApi {
  /** Everything that was asked of it, in order. */
  readonly received: Received[] = [];
  /** With which words it refuses every request; null: it answers. */
  refusal: string | null = null;
  readonly #server: http.Server;
  readonly #dialect: Dialect;
  readonly #script: readonly ModelCall[];
  readonly #last: string;

  private constructor(dialect: Dialect, script: readonly ModelCall[], last: string) {
    this.#dialect = dialect;
    this.#script = script;
    this.#last = last;
    this.#server = http.createServer((request, response) => this.#serve(request, response));
  }

  /** `last` is what it says after the script. */
  static async start(dialect: Dialect, script: readonly ModelCall[], last: string): Promise<ModelApi> {
    const api = new ModelApi(dialect, script, last);
    await new Promise<void>((resolve) => api.#server.listen(0, '127.0.0.1', resolve));
    return api;
  }

  get port(): number {
    const address: AddressInfo | string | null = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('not listening');
    return address.port;
  }

  /** The base address, without a path. */
  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The turns of the conversation as the model got them, oldest first. */
  get turns(): JsonObject[] {
    return this.received
      .filter(({ method, path }) => method === 'POST' && this.#dialect.asksModel(path))
      .map(({ body }) => parsed(body))
      .filter((request) => this.#dialect.offersTools(request));
  }

  /** What came of each call of the script, as the model could read it: the results in the last turn. */
  get results(): readonly string[] {
    const last = this.turns.at(-1);
    return last === undefined ? [] : this.#dialect.results(last);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #serve(request: http.IncomingMessage, response: http.ServerResponse): void {
    const { method = '' } = request;
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const parts: Buffer[] = [];
    // A client that is killed closes under our hands.
    request.on('error', () => {});
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8');
      this.received.push({ method, path: pathname, body });
      if (method !== 'POST' || !this.#dialect.asksModel(pathname)) {
        response
          .writeHead(404, { 'content-type': 'application/json' })
          .end('{"error":{"message":"not here"}}');
        return;
      }
      if (this.refusal !== null) {
        const error = { code: 400, type: 'invalid_request_error', message: this.refusal };
        response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
        return;
      }
      const asked = parsed(body);
      const reply = this.#dialect.answer(this.#turnAfter(asked), pathname, asked);
      response.writeHead(200, { 'content-type': reply.type }).end(reply.body);
    });
  }

  #turnAfter(request: JsonObject): ModelTurn {
    if (!this.#dialect.offersTools(request)) return { text: 'A session' };
    const done = this.#dialect.results(request).length;
    const call = this.#script[done];
    return call === undefined ? { text: this.#last } : { call, callId: `call_${done + 1}` };
  }
}

function parsed(body: string): JsonObject {
  const value: Json = JSON.parse(body);
  if (!isObject(value)) throw new Error(`not an object: ${body.slice(0, 200)}`);
  return value;
}
