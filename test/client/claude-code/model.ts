import { once } from 'node:events';
import http from 'node:http';
import { isObject, type Json, type JsonObject } from '#core/event';
import { replyTo, type Turn } from './reply.ts';

/** One request as it came. */
export interface Asked {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly body: JsonObject;
  /** `performance.now()` when it was whole. */
  readonly atMs: number;
  /** Whether it belongs to the conversation; the client also asks for a title and the like. */
  readonly isTurn: boolean;
}

/**
 * A model that gives scripted answers: the part of Anthropic's Messages API that Claude Code uses, on the loopback. Keeps
 * every request, so that a test sees what reached the model.
 */
export class ScriptedModel {
  readonly asked: Asked[] = [];
  readonly #server: http.Server;
  #turns: Turn[] = [];

  private constructor() {
    this.#server = http.createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        response.destroy(error instanceof Error ? error : new Error(String(error)));
      });
    });
  }

  static async open(): Promise<ScriptedModel> {
    const model = new ScriptedModel();
    model.#server.listen(0, '127.0.0.1');
    await once(model.#server, 'listening');
    return model;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the model is not listening');
    return `http://127.0.0.1:${address.port}`;
  }

  /** What it says from now on, a turn a request of the conversation; after the last it says that it is done. */
  play(turns: readonly Turn[]): void {
    this.#turns = [...turns];
    this.asked.length = 0;
  }

  /** The requests of the conversation, in order. */
  turns(): readonly Asked[] {
    return this.asked.filter((one) => one.isTurn);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const { method = '', url = '/' } = request;
    const { pathname } = new URL(url, this.url);
    const isMessage = method === 'POST' && pathname === '/v1/messages';
    const isTurn = isMessage && Array.isArray(body.tools) && body.tools.length > 0;
    this.asked.push({ method, path: pathname, body, atMs: performance.now(), isTurn });
    if (isMessage) {
      // It goes on refusing.
      const isShut = this.#turns[0]?.refuse !== undefined;
      const turn = isTurn && !isShut ? this.#turns.shift() : isShut ? this.#turns[0] : undefined;
      await turn?.before?.();
      replyTo(body, turn ?? { say: 'done' }, response);
      return;
    }
    const isCount = method === 'POST' && pathname === '/v1/messages/count_tokens';
    const notFound = { type: 'error', error: { type: 'not_found_error', message: 'not found' } };
    response.writeHead(isCount ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isCount ? { input_tokens: 100 } : notFound));
  }
}

async function bodyOf(request: http.IncomingMessage): Promise<JsonObject> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part));
  const text = Buffer.concat(parts).toString('utf8');
  if (!text.startsWith('{')) return {};
  const value: Json = JSON.parse(text);
  return isObject(value) ? value : {};
}
