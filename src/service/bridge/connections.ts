import type { Server, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { bridgeConnectionsMax } from '#core/limits';
import { errorCode, openFilesLeft } from '#core/platform';
import { commonHeaders, refused } from './answer.ts';

// Answers that wait on one connection; browsers and the usual clients send one request at a time.
export const bridgePipelinedMax = 4;
const bridgeKeepAliveMs = 5_000;
// Below the limit of open files: the page leaves the hooks more than their socket keeps free.
const bridgeOpenFilesKept = 10;
const bridgeConnectionsMin = 2;

/** Limits the connections of a server, and answers input that is not HTTP. */
export class Connections {
  /** Oldest first, each with the responses that it waits for, and whether a request on it had the token. */
  readonly #sockets = new Map<Socket, { readonly due: Set<ServerResponse>; isTrusted: boolean }>();
  #isEnding = false;

  constructor(server: Server) {
    server.keepAliveTimeout = bridgeKeepAliveMs;
    server.on('connection', (socket: Socket) => this.#take(socket));
    server.on('clientError', (error: Error, socket: Socket) => this.#refuse(error, socket));
  }

  /**
   * Registers the response of a new request. False when too many requests wait on this connection, which is then ended: all of them are in
   * memory, for a client that may not have the token.
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

  /** Marks a connection as trusted: connections without the token are closed before it. */
  trust(socket: Socket): void {
    const held = this.#sockets.get(socket);
    if (held !== undefined) held.isTrusted = true;
  }

  /** Whether it waits for an answer. */
  isBusy(socket: Socket): boolean {
    return (this.#sockets.get(socket)?.due.size ?? 0) > 0;
  }

  /** Ends idle connections now, the others with their last answer or after `graceMs`. */
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
      // Node emits `close` only for the current response; a stream after it would be written for ever.
      for (const response of due) if (response.socket === null) response.emit('close');
    });
    const isShort = this.#sockets.size > bridgeConnectionsMin && openFilesLeft() < bridgeOpenFilesKept;
    if (!isShort && this.#sockets.size <= bridgeConnectionsMax) return;
    const leaving = this.#leastNeeded(socket);
    this.#sockets.delete(leaving);
    leaving.destroy();
  }

  /**
   * The connection that is closed for a new one. No client without the token can lock a browser out: the oldest of those goes first, then
   * the oldest idle one with the token, else the new one.
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

const notHttp = { status: 400, code: 'bad_request', message: 'the request is not HTTP' };
const troubles: Readonly<Record<string, typeof notHttp>> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: 'too_large', message: 'the headers are too long' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'timeout', message: 'the request did not arrive in time' },
};
