import readline from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { isObject, type Json, type JsonObject, objectAt } from '#core/event';

/** What the newer generation of the protocol wants with every request. */
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'a test', version: '1' },
};

/** A client that writes any line and reads what comes; each answer is found by its id, whatever the order. */
export class TestClient {
  /** Every line of the server, as it came. */
  readonly lines: string[] = [];
  /** What came without an id of ours: refusals of lines. */
  readonly others: JsonObject[] = [];
  readonly #toServer: Writable;
  readonly #waiting = new Map<Json, (message: JsonObject) => void>();
  #onOther: () => void = () => {};
  #id = 0;

  constructor(toServer: Writable, fromServer: Readable) {
    this.#toServer = toServer;
    readline.createInterface({ input: fromServer }).on('line', (line) => this.#take(line));
  }

  raw(text: string | Buffer): void {
    this.#toServer.write(text);
  }

  end(): void {
    this.#toServer.end();
  }

  notify(method: string, params: JsonObject = {}): void {
    this.raw(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`);
  }

  /** The whole answer to one request, result or error. */
  request(method: string, params: JsonObject = {}, id: string | number = ++this.#id): Promise<JsonObject> {
    const answer = this.answerTo(id);
    this.raw(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answer;
  }

  answerTo(id: string | number): Promise<JsonObject> {
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  /** A request of the newer generation. */
  modern(method: string, params: JsonObject = {}): Promise<JsonObject> {
    return this.request(method, { ...params, _meta: envelope });
  }

  /** Opens a connection of the older generation. Answers the result. */
  async initialize(protocolVersion = '2025-11-25', name = 'a test'): Promise<JsonObject> {
    const clientInfo = { name, version: '1' };
    const answer = await this.request('initialize', { protocolVersion, capabilities: {}, clientInfo });
    this.notify('notifications/initialized');
    return objectAt(answer, 'result') ?? {};
  }

  /** The result of a tool, an error of the protocol is thrown. */
  async call(name: string, args: Json): Promise<ToolResult> {
    return toolResult(await this.request('tools/call', { name, arguments: args }));
  }

  /** Settles with the first line that answered no request of ours, and takes it off the list. */
  async other(): Promise<JsonObject> {
    while (this.others.length === 0) {
      await new Promise<void>((resolve) => {
        this.#onOther = resolve;
      });
    }
    return this.others.shift() ?? {};
  }

  #take(line: string): void {
    this.lines.push(line);
    const message: Json = JSON.parse(line);
    if (!isObject(message)) throw new Error(`not a message: ${line}`);
    const waiting = message.id === undefined ? undefined : this.#waiting.get(message.id);
    if (waiting === undefined) {
      this.others.push(message);
      this.#onOther();
      return;
    }
    this.#waiting.delete(message.id ?? null);
    waiting(message);
  }
}

export interface ToolResult {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: JsonObject | null;
}

export function toolResult(answer: JsonObject): ToolResult {
  const result = objectAt(answer, 'result');
  if (result === undefined) throw new Error(`an error of the protocol: ${JSON.stringify(answer)}`);
  const first = Array.isArray(result.content) ? result.content[0] : null;
  if (!isObject(first) || typeof first.text !== 'string') throw new Error('a result without text');
  return {
    isError: result.isError === true,
    text: first.text,
    structured: objectAt(result, 'structuredContent') ?? null,
  };
}
