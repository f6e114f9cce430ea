import { connect, type Socket } from 'node:net';
import { isObject, type Json, type JsonObject } from '#core/event';

const answerMs = 20_000;

/** A client of the socket that sends any bytes and takes what comes, line by line. */
export class Wire {
  readonly #socket: Socket;
  readonly #lines: string[] = [];
  #rest = '';
  #ended = false;
  #wake = (): void => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      const lines = (this.#rest + chunk).split('\n');
      this.#rest = lines.pop() ?? '';
      this.#lines.push(...lines);
      this.#wake();
    });
    // The daemon may close on what we still send; `close` follows.
    socket.on('error', () => {});
    for (const end of ['end', 'close']) {
      socket.on(end, () => {
        this.#ended = true;
        this.#wake();
      });
    }
  }

  static open(path: string): Promise<Wire> {
    return new Promise((resolve, reject) => {
      const socket = connect({ path, allowHalfOpen: true });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new Wire(socket));
      });
    });
  }

  send(bytes: string | Buffer): void {
    this.#socket.write(bytes);
  }

  /** Reads nothing any more. */
  pause(): void {
    this.#socket.pause();
  }

  /** Ends our half; the other one may still speak. */
  endHalf(): void {
    this.#socket.end();
  }

  /** The next line as it came, or null when the connection has ended without one. */
  async line(): Promise<string | null> {
    await this.#when(() => this.#lines.length > 0 || this.#ended, 'a line from the daemon');
    return this.#lines.shift() ?? null;
  }

  /** The next line, parsed. */
  async reply(): Promise<JsonObject> {
    const line = await this.line();
    if (line === null) throw new Error('the daemon closed the connection without a reply');
    const value: Json = JSON.parse(line);
    if (!isObject(value)) throw new Error(`not an object: ${line}`);
    return value;
  }

  /** Settles when the daemon has ended the connection. */
  async closed(): Promise<void> {
    await this.#when(() => this.#ended, 'the end of the connection');
  }

  close(): void {
    this.#socket.destroy();
  }

  async #when(isSo: () => boolean, what: string): Promise<void> {
    const deadline = setTimeout(() => this.#wake(), answerMs);
    const started = performance.now();
    while (!isSo()) {
      if (performance.now() - started >= answerMs) throw new Error(`waited ${answerMs} ms for ${what}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    clearTimeout(deadline);
  }
}

/** One request on a connection of its own, and its reply. */
export async function ask(path: string, request: JsonObject): Promise<JsonObject> {
  const wire = await Wire.open(path);
  try {
    wire.send(`${JSON.stringify(request)}\n`);
    return await wire.reply();
  } finally {
    wire.close();
  }
}
