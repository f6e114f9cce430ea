import { connect, type Socket } from 'node:net';
import { type JsonObject, own } from '../event/index.ts';
import { frameBytesMax, pingTimeoutMs } from '../limits.ts';
import {
  errorCode,
  Failure,
  messageOf,
  privateSocketAddress,
  type SocketAddress,
} from '../platform/index.ts';
import { closedEarly, parseReply, replyTooLong } from './reply.ts';

export interface ExchangeOptions {
  /** From the start, and again from each line that is not the last. */
  readonly timeoutMs: number;
  /** Asks by a ping first, and sends the request only when that is answered: a daemon that hangs is not waited for. */
  readonly pingFirst?: boolean;
  /** Takes the lines that come before the reply. */
  readonly interim?: (fields: JsonObject) => void;
  /** The next request on the same connection, and so to the same process, or null to settle with this reply. */
  readonly next?: (reply: JsonObject) => JsonObject | null;
  /** The first object is the reply, whatever it holds and also without its newline, so that nothing prolongs the wait. */
  readonly isSingle?: boolean;
  readonly replyCharsMax?: number;
  /** Ends the exchange with a Failure `stopped`. */
  readonly stop?: AbortSignal;
}

export interface Reply {
  readonly fields: JsonObject;
  /** As it came. */
  readonly text: string;
}

/**
 * One request and its reply on one connection; null when the connection ended before anything was said of the request. `pingMs`:
 * how long the ping may take.
 * @throws Failure `unreachable`, `silent` (no answer to the ping), `timeout`, `closed`, `bad_reply`, `stopped`; `unsafe_folder` and
 * `unsafe_socket` where the socket is not this user's alone
 */
export function exchange(
  socket: string,
  message: JsonObject,
  options: ExchangeOptions,
  pingMs: number,
): Promise<Reply | null> {
  return new Promise((resolve, reject) => {
    new Exchange(addressOf(socket), message, options, { resolve, reject }).start(pingMs);
  });
}

interface Ends {
  readonly resolve: (reply: Reply | null) => void;
  readonly reject: (failure: Failure) => void;
}

interface State {
  /** `asked`: nothing was said of the request yet; `answered`: something was. */
  phase: 'connecting' | 'pinged' | 'asked' | 'answered' | 'settled';
  /** What has come of the line that has not ended. */
  text: string;
  timer: NodeJS.Timeout | undefined;
}

class Exchange {
  readonly #message: JsonObject;
  readonly #options: ExchangeOptions;
  readonly #ends: Ends;
  readonly #release: () => void;
  readonly #client: Socket;
  readonly #state: State = { phase: 'connecting', text: '', timer: undefined };

  constructor(
    { address, release }: SocketAddress,
    message: JsonObject,
    options: ExchangeOptions,
    ends: Ends,
  ) {
    this.#message = message;
    this.#options = options;
    this.#ends = ends;
    this.#release = release;
    this.#client = connect(address);
    this.#client.setEncoding('utf8');
  }

  start(pingMs: number): void {
    const { pingFirst, timeoutMs, stop } = this.#options;
    const client = this.#client;
    client.on('connect', () => {
      this.#state.phase = pingFirst === true ? 'pinged' : 'asked';
    });
    client.on('data', (chunk: string) => this.#onData(chunk));
    client.on('error', (error) => this.#onError(error));
    client.on('close', () => this.#onEnd());
    this.#wait(pingFirst === true ? pingMs : timeoutMs);
    this.#send(pingFirst === true ? { op: 'ping' } : this.#message);
    stop?.addEventListener('abort', this.#onStop);
    if (stop?.aborted === true) this.#onStop();
  }

  #send(message: JsonObject): void {
    this.#client.write(`${JSON.stringify(message)}\n`);
  }

  #wait(ms: number): void {
    clearTimeout(this.#state.timer);
    this.#state.timer = setTimeout(() => {
      if (this.#isAwake) this.#fail('timeout', 'timeout');
      else this.#fail('silent', `it hangs: no answer within ${pingTimeoutMs} ms`);
    }, ms);
  }

  /** Whether a ping was answered, or was not asked for. */
  get #isAwake(): boolean {
    const { phase } = this.#state;
    return this.#options.pingFirst !== true || (phase !== 'connecting' && phase !== 'pinged');
  }

  #onData(chunk: string): void {
    const { replyCharsMax = 4 * frameBytesMax, isSingle } = this.#options;
    this.#state.text += chunk;
    if (this.#state.text.length > replyCharsMax) this.#fail('bad_reply', replyTooLong);
    // A long reply comes in many chunks: only one that ends a line is worth parsing.
    else if (chunk.includes('\n')) this.#onLines();
    else if (isSingle === true && chunk.trimEnd().endsWith('}')) this.#onUnended(this.#state.text);
  }

  #onLines(): void {
    const lines = this.#state.text.split('\n');
    this.#state.text = lines.pop() ?? '';
    for (const line of lines) {
      const reply = parseReply(line);
      if (typeof reply === 'string') this.#fail('bad_reply', reply);
      else this.#onReply(reply, line);
      if (this.#isSettled) return;
    }
  }

  #onUnended(text: string): void {
    const reply = parseReply(text);
    if (typeof reply !== 'string') this.#onReply(reply, text);
  }

  #onReply(fields: JsonObject, text: string): void {
    const state = this.#state;
    const { timeoutMs, next, interim, isSingle } = this.#options;
    // A refusal of the ping is one of the request that was to follow.
    const isPong = state.phase === 'pinged' && fields.ok === true;
    const isLast = isSingle === true || own(fields, 'ok') !== undefined;
    state.phase = isPong ? 'asked' : 'answered';
    const following = isPong ? this.#message : isLast ? (next?.(fields) ?? null) : null;
    if (isLast && following === null) {
      this.#finish(() => this.#ends.resolve({ fields, text }));
      return;
    }
    this.#wait(timeoutMs);
    if (following !== null) this.#send(following);
    else interim?.(fields);
  }

  #onError(error: Error): void {
    const code = errorCode(error);
    // Closed with our request unread, or while we stood in its queue.
    const isClosed = this.#state.phase !== 'connecting' || code === 'ECONNRESET';
    // Linux: its queue is full of those whom it does not answer.
    const isSilent = !this.#isAwake && code === 'EAGAIN';
    if (isClosed) this.#onEnd();
    else this.#fail(isSilent ? 'silent' : 'unreachable', `connect ${code ?? messageOf(error)}`, error);
  }

  #onEnd(): void {
    const { phase, text } = this.#state;
    if (phase === 'answered' || text !== '') this.#fail('closed', closedEarly);
    else this.#finish(() => this.#ends.resolve(null));
  }

  readonly #onStop = (): void => this.#fail('stopped', 'stopped');

  get #isSettled(): boolean {
    return this.#state.phase === 'settled';
  }

  #fail(code: string, what: string, cause?: unknown): void {
    this.#finish(() => this.#ends.reject(new Failure(code, what, { cause })));
  }

  #finish(settle: () => void): void {
    // `close` follows whatever ended it.
    if (this.#isSettled) return;
    this.#state.phase = 'settled';
    clearTimeout(this.#state.timer);
    this.#options.stop?.removeEventListener('abort', this.#onStop);
    this.#client.destroy();
    this.#release();
    settle();
  }
}

/** @throws Failure `unreachable` when the socket's folder is not there, `unsafe_folder` / `unsafe_socket` */
function addressOf(socket: string): SocketAddress {
  try {
    return privateSocketAddress(socket);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('unreachable', `connect ${errorCode(error) ?? messageOf(error)}`, { cause: error });
  }
}
