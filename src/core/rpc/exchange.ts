import { connect, type Socket } from 'node:net';
import { type JsonObject, own } from '#core/event';
import { errorCode, Failure, messageOf, privateSocketAddress, type SocketAddress } from '#core/platform';
import { frameBytesMax, pingTimeoutMs } from '../limits.ts';
import { closedEarly, parseReply, replyTooLong } from './reply.ts';

export interface ExchangeLimits {
  /** From the start, and again from each line before the last. */
  readonly timeoutMs: number;
  readonly replyCharsMax?: number;
  /** Ends the exchange with a Failure `stopped`. */
  readonly stop?: AbortSignal;
}

/** What is sent on one connection, and which reply is the last. */
export interface Dialogue {
  readonly first: JsonObject;
  /** Whether `first` is a ping, which must be answered within `pingMs`: a daemon that hangs is not waited for. */
  readonly pingMs: number | null;
  /** Whether a reply may come without its newline, so that nothing prolongs the wait. */
  readonly isUnended: boolean;
  /** What follows a reply: the next request, `wait` for another line, or `end`. */
  readonly next: (reply: JsonObject) => JsonObject | 'wait' | 'end';
}

export interface Reply {
  readonly fields: JsonObject;
  /** As it arrived. */
  readonly text: string;
}

/**
 * A dialogue on one connection; null when the connection ended before any answer to the request.
 * @throws Failure `unreachable`, `silent` (no answer to the ping), `timeout`, `closed`, `bad_reply`, `stopped`; `unsafe_folder` and
 * `unsafe_socket` where the socket does not belong to this user only
 */
export function exchange(socket: string, dialogue: Dialogue, limits: ExchangeLimits): Promise<Reply | null> {
  return new Promise((resolve, reject) => {
    new Exchange(addressOf(socket), dialogue, limits, { resolve, reject }).start();
  });
}

interface Ends {
  readonly resolve: (reply: Reply | null) => void;
  readonly reject: (failure: Failure) => void;
}

/** `asked`: the request has no answer yet; `answered`: it has one. */
type Phase = 'connecting' | 'pinged' | 'asked' | 'answered' | 'settled';

class Exchange {
  readonly #dialogue: Dialogue;
  readonly #limits: ExchangeLimits;
  readonly #ends: Ends;
  readonly #release: () => void;
  readonly #client: Socket;
  #phase: Phase = 'connecting';
  /** The line that has not ended. */
  #text = '';
  #timer: NodeJS.Timeout | undefined;

  constructor({ address, release }: SocketAddress, dialogue: Dialogue, limits: ExchangeLimits, ends: Ends) {
    this.#dialogue = dialogue;
    this.#limits = limits;
    this.#ends = ends;
    this.#release = release;
    this.#client = connect(address);
    this.#client.setEncoding('utf8');
  }

  start(): void {
    const { first, pingMs } = this.#dialogue;
    const { timeoutMs, stop } = this.#limits;
    this.#client.on('connect', () => {
      this.#phase = pingMs === null ? 'asked' : 'pinged';
    });
    this.#client.on('data', (chunk: string) => this.#onData(chunk));
    this.#client.on('error', (error) => this.#onError(error));
    this.#client.on('close', () => this.#onEnd());
    this.#wait(pingMs ?? timeoutMs);
    this.#send(first);
    stop?.addEventListener('abort', this.#onStop);
    if (stop?.aborted === true) this.#onStop();
  }

  #send(message: JsonObject): void {
    this.#client.write(`${JSON.stringify(message)}\n`);
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#waitsForPing) this.#fail('silent', `it hangs: no answer within ${pingTimeoutMs} ms`);
      else this.#fail('timeout', 'timeout');
    }, ms);
  }

  get #waitsForPing(): boolean {
    const isEarly = this.#phase === 'connecting' || this.#phase === 'pinged';
    return this.#dialogue.pingMs !== null && isEarly;
  }

  #onData(chunk: string): void {
    this.#text += chunk;
    const text = this.#text;
    if (text.length > (this.#limits.replyCharsMax ?? 4 * frameBytesMax))
      this.#fail('bad_reply', replyTooLong);
    // A long reply comes in many chunks, and is parsed only when a line ends.
    else if (chunk.includes('\n')) this.#onLines();
    else if (this.#dialogue.isUnended && chunk.trimEnd().endsWith('}')) {
      const reply = parseReply(text);
      if (typeof reply !== 'string') this.#onReply(reply, text);
    }
  }

  #onLines(): void {
    const lines = this.#text.split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) {
      const reply = parseReply(line);
      if (typeof reply === 'string') this.#fail('bad_reply', reply);
      else this.#onReply(reply, line);
      if (this.#isSettled) return;
    }
  }

  #onReply(fields: JsonObject, text: string): void {
    const wasPing = this.#waitsForPing && fields.ok === true;
    this.#phase = wasPing ? 'asked' : 'answered';
    const next = this.#dialogue.next(fields);
    if (next === 'end') {
      this.#finish(() => this.#ends.resolve({ fields, text }));
      return;
    }
    this.#wait(this.#limits.timeoutMs);
    if (next !== 'wait') this.#send(next);
  }

  #onError(error: Error): void {
    const code = errorCode(error);
    // Closed with our request unread, or while the connection was in its queue.
    const isClosed = this.#phase !== 'connecting' || code === 'ECONNRESET';
    // Linux: the queue is full of connections that it does not accept.
    const isSilent = this.#waitsForPing && code === 'EAGAIN';
    if (isClosed) this.#onEnd();
    else this.#fail(isSilent ? 'silent' : 'unreachable', `connect ${code ?? messageOf(error)}`, error);
  }

  #onEnd(): void {
    if (this.#phase === 'answered' || this.#text !== '') this.#fail('closed', closedEarly);
    else this.#finish(() => this.#ends.resolve(null));
  }

  readonly #onStop = (): void => this.#fail('stopped', 'stopped');

  get #isSettled(): boolean {
    return this.#phase === 'settled';
  }

  #fail(code: string, what: string, cause?: unknown): void {
    this.#finish(() => this.#ends.reject(new Failure(code, what, { cause })));
  }

  #finish(settle: () => void): void {
    // `close` follows every end.
    if (this.#isSettled) return;
    this.#phase = 'settled';
    clearTimeout(this.#timer);
    this.#limits.stop?.removeEventListener('abort', this.#onStop);
    this.#client.destroy();
    this.#release();
    settle();
  }
}

/** The dialogue of one request: interim lines, then the reply that says `ok`. `pingMs`: a ping goes first. */
export function requestDialogue(
  message: JsonObject,
  pingMs: number | null,
  interim: (fields: JsonObject) => void = () => {},
): Dialogue {
  let isAwake = pingMs === null;
  return {
    first: isAwake ? message : { op: 'ping' },
    pingMs,
    isUnended: false,
    next: (reply) => {
      // A refused ping refuses the request that was to follow.
      if (!isAwake && reply.ok === true) {
        isAwake = true;
        return message;
      }
      isAwake = true;
      if (own(reply, 'ok') !== undefined) return 'end';
      interim(reply);
      return 'wait';
    },
  };
}

/** The dialogue of one request whose reply is the first object that arrives. */
export function singleDialogue(message: JsonObject): Dialogue {
  return { first: message, pingMs: null, isUnended: true, next: () => 'end' };
}

/** @throws Failure `unreachable` when the socket's folder does not exist, `unsafe_folder` / `unsafe_socket` */
function addressOf(socket: string): SocketAddress {
  try {
    return privateSocketAddress(socket);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('unreachable', `connect ${errorCode(error) ?? messageOf(error)}`, { cause: error });
  }
}
