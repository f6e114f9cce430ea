import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import type { JsonObject } from '#core/event';
import { mcpLineBytesMax, mcpRequestsMax } from '#core/limits';
import { LineSplitter, type SplitLine } from '#core/platform';
import { type Incoming, readLine, tooLong } from './incoming.ts';

const mcpLingerMs = 1_500;

/**
 * One message a line over two streams. Unlike the protocol's own transport, it answers a bad or too long line with an error and goes on,
 * runs at most `mcpRequestsMax` requests at a time (others wait unread), and after the end of stdin still answers for `mcpLingerMs`.
 */
export class StdioLines implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  /** Settles when the connection has ended. */
  readonly closed: Promise<void>;

  readonly #stdin: Readable;
  readonly #stdout: Writable;
  readonly #underWay = new Set<string | number>();
  readonly #splitter = new LineSplitter(mcpLineBytesMax);
  #waiting: Incoming[] = [];
  #linger: NodeJS.Timeout | null = null;
  #isClosed = false;
  #settle = (): void => {};

  constructor(stdin: Readable, stdout: Writable) {
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.closed = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  async start(): Promise<void> {
    this.#stdin.on('data', this.#onData);
    this.#stdin.on('end', this.#onEnd);
    this.#stdin.on('close', this.#onEnd);
    this.#stdin.on('error', this.#onBroken);
    this.#stdout.on('error', this.#onBroken);
  }

  send(message: JSONRPCMessage): Promise<void> {
    const written = this.#write(message);
    if ('id' in message && message.id !== undefined && !('method' in message)) this.#answered(message.id);
    return written;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#linger !== null) clearTimeout(this.#linger);
    this.#stdin.off('data', this.#onData);
    this.#stdin.pause();
    this.onclose?.();
    // Waits for what is being written, but a server must not outlive its client.
    const patience = setTimeout(() => this.#settle(), mcpLingerMs);
    this.#stdout.write('', () => {
      clearTimeout(patience);
      this.#settle();
    });
  }

  readonly #onData = (chunk: Buffer): void => this.#take(this.#splitter.take(chunk));

  #take(lines: readonly SplitLine[]): void {
    for (const { bytes, isTooLong } of lines)
      this.#waiting.push(isTooLong ? tooLong : readLine(bytes.toString('utf8')));
    this.#takeWaiting();
  }

  /** Passes on what waits while there is room, and reads on when nothing waits. */
  #takeWaiting(): void {
    while (this.#underWay.size < mcpRequestsMax) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      this.#handOn(next);
    }
    if (this.#waiting.length > 0) this.#stdin.pause();
    else if (this.#stdin.isPaused() && !this.#isClosed) this.#stdin.resume();
    if (this.#linger !== null && this.#isIdle()) void this.close();
  }

  #handOn(incoming: Incoming): void {
    if (incoming.kind === 'nothing') return;
    if (incoming.kind === 'refused') {
      this.onerror?.(new Error('a line of the client was refused'));
      this.#write(incoming.reply).catch(this.#onBroken);
      return;
    }
    const { message } = incoming;
    // A subscription never ends by itself.
    if ('method' in message && 'id' in message && message.method !== 'subscriptions/listen')
      this.#underWay.add(message.id);
    // A cancelled request gets no answer.
    const cancelled = 'method' in message && message.method === 'notifications/cancelled';
    this.onmessage?.(message);
    const id = cancelled ? message.params?.requestId : undefined;
    if (typeof id === 'string' || typeof id === 'number') this.#answered(id);
  }

  #answered(id: string | number): void {
    // Not directly: a flood of answers must not recurse.
    if (this.#underWay.delete(id)) setImmediate(() => this.#takeWaiting());
  }

  #write(message: JSONRPCMessage | JsonObject): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stdout.write(`${JSON.stringify(message)}\n`, (error) =>
        error === null || error === undefined ? resolve() : reject(error),
      );
    });
  }

  #isIdle(): boolean {
    return this.#underWay.size === 0 && this.#waiting.length === 0;
  }

  readonly #onEnd = (): void => {
    if (this.#linger !== null || this.#isClosed) return;
    this.#linger = setTimeout(() => void this.close(), mcpLingerMs);
    // A last line needs no line break.
    this.#take(this.#splitter.end());
  };

  readonly #onBroken = (error: Error): void => {
    this.onerror?.(error);
    void this.close();
  };
}
