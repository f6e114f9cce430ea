import type { ServerResponse } from 'node:http';
import { Failure } from '#core/platform';

const bridgeStreamBytesMax = 256 * 1024;

export const bridgeStreamsMax = 16;
const bridgeStreamTickMs = 1_000;
const bridgeStreamPingMs = 15_000;

export interface StreamsOptions {
  /** The content of the event, sent when its JSON has changed. */
  readonly look: () => Promise<object>;
  /** Takes what `look` threw that is not a refusal. */
  readonly internal: (error: unknown) => void;
  readonly tickMs?: number;
}

/**
 * Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): `counts` immediately and after each change. One
 * read per second serves all listeners; without listeners nothing is read.
 */
export class Streams {
  readonly #options: StreamsOptions;
  readonly #open = new Set<ServerResponse>();
  #latest: string | null = null;
  #running = false;
  #pinged = 0;
  #wake = (): void => {};

  constructor(options: StreamsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#open.size;
  }

  /** @throws Failure `busy` */
  check(): void {
    if (this.#open.size >= bridgeStreamsMax)
      throw new Failure('busy', `${bridgeStreamsMax} streams are open. Close one.`);
  }

  /** The headers of the response must be set. */
  add(response: ServerResponse): void {
    this.#open.add(response);
    response.once('close', () => this.#leave(response));
    response.write(': listening\n\n');
    if (this.#latest !== null) response.write(this.#latest);
    if (!this.#running) void this.#run();
  }

  close(): void {
    for (const response of this.#open) response.end();
    this.#open.clear();
    this.#wake();
  }

  async #run(): Promise<void> {
    this.#running = true;
    this.#pinged = performance.now();
    while (this.#open.size > 0) {
      await this.#look();
      this.#ping();
      await this.#pause();
    }
    this.#latest = null;
    this.#running = false;
  }

  async #look(): Promise<void> {
    try {
      const event = `event: counts\ndata: ${JSON.stringify(await this.#options.look())}\n\n`;
      if (event === this.#latest) return;
      this.#latest = event;
      this.#send(event);
    } catch (error) {
      // The daemon is busy or stopping: the last event holds until the next look.
      if (!(error instanceof Failure)) this.#options.internal(error);
    }
  }

  #ping(): void {
    if (performance.now() - this.#pinged < bridgeStreamPingMs) return;
    this.#pinged = performance.now();
    this.#send(': keep-alive\n\n');
  }

  /** Disconnects listeners that do not read; they can connect again. */
  #send(text: string): void {
    for (const response of this.#open) {
      if (response.writableLength > bridgeStreamBytesMax) response.destroy();
      else response.write(text);
    }
  }

  #leave(response: ServerResponse): void {
    this.#open.delete(response);
    if (this.#open.size === 0) this.#wake();
  }

  /** Until the next look, or until the last listener leaves. */
  #pause(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#open.size === 0) return resolve();
      const timer = setTimeout(resolve, this.#options.tickMs ?? bridgeStreamTickMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
