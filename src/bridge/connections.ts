import type { Server, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { bridgeConnectionsMax, bridgeKeepAliveMs } from '../limits.ts';
import { errorCode } from '../platform/index.ts';
import { commonHeaders, refused } from './answer.ts';

/** Bounds what clients of a server may hold, and answers what is no HTTP. */
export class Connections {
  /** Oldest first; each with the response that is due on it, if one is. */
  readonly #sockets = new Map<Socket, ServerResponse | null>();

  constructor(server: Server) {
    server.keepAliveTimeout = bridgeKeepAliveMs;
    server.on('connection', (socket: Socket) => this.#take(socket));
    server.on('clientError', (error: Error, socket: Socket) => this.#refuse(error, socket));
  }

  /** A request has come for which this is the response. */
  begun(socket: Socket, response: ServerResponse): void {
    if (!this.#sockets.has(socket)) return;
    this.#sockets.set(socket, response);
    response.once('close', () => {
      if (this.#sockets.get(socket) === response) this.#sockets.set(socket, null);
    });
  }

  closeAll(): void {
    for (const socket of this.#sockets.keys()) socket.destroy();
  }

  /** Idlers never lock a browser out: the oldest one without a request goes for the newcomer. */
  #take(socket: Socket): void {
    this.#sockets.set(socket, null);
    socket.once('close', () => this.#sockets.delete(socket));
    if (this.#sockets.size <= bridgeConnectionsMax) return;
    const [idle = socket] = [...this.#sockets].find(([, response]) => response === null) ?? [];
    this.#sockets.delete(idle);
    idle.destroy();
  }

  /** @see https://nodejs.org/api/http.html#event-clienterror */
  #refuse(error: Error, socket: Socket): void {
    const isAnswered = this.#sockets.get(socket)?.headersSent === true;
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
