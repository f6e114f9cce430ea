import type { Server, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { bridgeConnectionsMax } from '../../core/limits.ts';
import { errorCode } from '../../core/platform/index.ts';
import { commonHeaders, refused } from './answer.ts';

// Answers due on one connection; browsers and the usual clients wait for each before they ask again.
export const bridgePipelinedMax = 4;
const bridgeKeepAliveMs = 5_000;

interface Held {
  /** The responses that are due on it, in their order. */
  readonly due: Set<ServerResponse>;
  /** Whether a request on it has brought the token. */
  isTrusted: boolean;
}

/** Bounds what clients of a server may hold, and answers what is no HTTP. */
export class Connections {
  /** Oldest first. */
  readonly #sockets = new Map<Socket, Held>();
  #isEnding = false;

  constructor(server: Server) {
    server.keepAliveTimeout = bridgeKeepAliveMs;
    server.on('connection', (socket: Socket) => this.#take(socket));
    server.on('clientError', (error: Error, socket: Socket) => this.#refuse(error, socket));
  }

  /**
   * A request has come for which this is the response. False when it is not to be answered: so many wait before it, asked without
   * waiting for an answer, that the connection was ended. All of them are held in memory, for somebody who need not have the token.
   */
  begun(socket: Socket, response: ServerResponse): boolean {
    const due = this.#sockets.get(socket)?.due;
    if (due === undefined || due.size >= bridgePipelinedMax) {
      socket.destroy();
      return false;
    }
    due.add(response);
    response.once('close', () => {
      due.delete(response);
      if (this.#isEnding && due.size === 0) socket.destroySoon();
    });
    return true;
  }

  /** A request on it has brought the token: as long as there are others without, it makes room for nobody. */
  trust(socket: Socket): void {
    const held = this.#sockets.get(socket);
    if (held !== undefined) held.isTrusted = true;
  }

  /** Whether an answer is due on it. */
  isBusy(socket: Socket): boolean {
    return (this.#sockets.get(socket)?.due.size ?? 0) > 0;
  }

  /** Ends those on which no answer is due at once, the others with their last answer or after `graceMs`. */
  closeAll(graceMs: number): void {
    this.#isEnding = true;
    for (const [socket, { due }] of this.#sockets) if (due.size === 0) socket.destroy();
    setTimeout(() => {
      for (const socket of this.#sockets.keys()) socket.destroy();
    }, graceMs).unref();
  }

  #take(socket: Socket): void {
    const due = new Set<ServerResponse>();
    this.#sockets.set(socket, { due, isTrusted: false });
    socket.once('close', () => {
      this.#sockets.delete(socket);
      // Node tells only the one whose turn it is; a stream behind it would be fed for ever.
      for (const response of due) if (response.socket === null) response.emit('close');
    });
    if (this.#sockets.size <= bridgeConnectionsMax) return;
    const leaving = this.#leastNeeded(socket);
    this.#sockets.delete(leaving);
    leaving.destroy();
  }

  /**
   * The one that goes for a newcomer. Nobody without the token locks a browser out, neither by silence nor by not reading his answers: the
   * oldest of them goes first, then the oldest with the token on which no answer is due; the newcomer only when there is neither.
   */
  #leastNeeded(newcomer: Socket): Socket {
    const former = [...this.#sockets].filter(([socket]) => socket !== newcomer);
    const [leaving = newcomer] =
      former.find(([, { isTrusted }]) => !isTrusted) ?? former.find(([, { due }]) => due.size === 0) ?? [];
    return leaving;
  }

  /** @see https://nodejs.org/api/http.html#event-clienterror */
  #refuse(error: Error, socket: Socket): void {
    const isAnswered = [...(this.#sockets.get(socket)?.due ?? [])].some(({ headersSent }) => headersSent);
    if (isAnswered || !socket.writable) {
      socket.destroy();
      return;
    }
    const { status, code, message } = troubles[errorCode(error) ?? ''] ?? notHttp;
    const { type, body } = refused(status, code, message);
    const headers = { ...commonHeaders, 'Content-Type': type, 'Content-Length': String(body.length) };
    const lines = Object.entries({ ...headers, Connection: 'close' }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${String(body)}`,
      () => socket.destroy(),
    );
  }
}

const notHttp = { status: 400, code: 'bad_request', message: 'this is not a request in HTTP' };
const troubles: Readonly<Record<string, typeof notHttp>> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: 'too_large', message: 'the headers are too long' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'timeout', message: 'the request did not come in time' },
};
