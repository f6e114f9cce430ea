import type { Socket } from 'node:net';
import type { JsonObject } from '../event/index.ts';
import {
  connectionReplyBytesMax,
  connectionRequestsQueuedMax,
  finishLingerMs,
  frameStartedTimeoutMs,
  refusedLingerMs,
} from '../limits.ts';
import { type Frame, Framer } from './framer.ts';
import { parseRequest } from './parse.ts';
import { encodeLine, errorReply, errorReplyOf, type Handler } from './protocol.ts';

/**
 * One client's connection: requests are begun as they arrive and answered in their order. Reading stops while
 * too many are under way or the other side does not take its replies.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #handle: Handler;
  readonly #internal: (error: unknown) => void;
  readonly #framer = new Framer();
  readonly #gone = new AbortController();
  #underWay = 0;
  #turn: Promise<void> = Promise.resolve();
  #frameTimer: NodeJS.Timeout | null = null;
  #refused = false;
  #halfClosed = false;
  /** When it last did something, in ms of `performance.now()`. */
  lastActive = performance.now();

  constructor(socket: Socket, handle: Handler, internal: (error: unknown) => void) {
    this.#socket = socket;
    this.#handle = handle;
    this.#internal = internal;
    socket.on('data', (chunk: Buffer) => this.#receive(this.#framer.push(chunk)));
    socket.on('end', () => {
      this.#halfClosed = true;
      this.#receive(this.#framer.end());
      this.#turn = this.#turn.then(() => void socket.end());
    });
    socket.on('drain', () => this.#flow());
    // A reset is the other side's way to leave; `close` follows and does the rest.
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#stopFrameTimer();
      this.#gone.abort();
    });
  }

  /** Whether the other side will ask nothing more: it waits for a last reply, or has gone without being noticed. */
  get halfClosed(): boolean {
    return this.#halfClosed;
  }

  get idle(): boolean {
    return this.#underWay === 0;
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Answers what is under way and ends; one that takes too long is cut off. */
  finish(): void {
    void this.#turn.then(() => this.#socket.end(() => this.#socket.destroy()));
    this.#socket.pause();
    setTimeout(() => this.#socket.destroy(), finishLingerMs).unref();
  }

  #receive(frames: readonly Frame[]): void {
    this.lastActive = performance.now();
    // The time of a started frame counts from its own first byte.
    if (frames.length > 0) this.#stopFrameTimer();
    for (const frame of frames) {
      if (this.#refused) break;
      if (frame.kind === 'request') this.#begin(frame.bytes);
      else this.#refuse(frame.code, frame.message);
    }
    if (this.#framer.pending && !this.#refused) this.#startFrameTimer();
    else this.#stopFrameTimer();
    this.#flow();
  }

  #begin(bytes: Buffer): void {
    this.#underWay += 1;
    const before = this.#turn;
    let rid: JsonObject = {};
    const interim = (fields: JsonObject): void => {
      void before.then(() => this.#write({ ...fields, ...rid }));
    };
    const answer = async (): Promise<JsonObject> => {
      try {
        const request = parseRequest(bytes);
        if (request.rid !== undefined) rid = { rid: request.rid };
        return { ok: true, ...(await this.#handle(request, { interim, signal: this.#gone.signal })) };
      } catch (error) {
        const told = errorReplyOf(error);
        if (told !== null) return told;
        this.#internal(error);
        return errorReply('internal', 'the daemon failed on this request; its log says how');
      }
    };
    const reply = answer();
    this.#turn = before.then(async () => {
      this.#write({ ...(await reply), ...rid });
      this.#underWay -= 1;
      this.lastActive = performance.now();
      this.#flow();
    });
  }

  #refuse(code: 'bad_request' | 'too_large', message: string): void {
    this.#refused = true;
    this.#turn = this.#turn.then(() => {
      this.#write(errorReply(code, message));
      this.#socket.end();
      // What it still sends is read and dropped: closing on unread bytes would reset the connection before the
      // other side has read why.
      setTimeout(() => this.#socket.destroy(), refusedLingerMs).unref();
    });
  }

  #write(reply: JsonObject): void {
    if (this.#socket.destroyed || !this.#socket.writable) return;
    const line = encodeLine(reply);
    const tooLong = line.length > connectionReplyBytesMax;
    this.#socket.write(
      tooLong ? encodeLine(errorReply('too_large', 'the reply is too long; ask for less')) : line,
    );
    if (this.#socket.writableLength > connectionReplyBytesMax) this.#socket.destroy();
  }

  #flow(): void {
    const full = this.#underWay >= connectionRequestsQueuedMax || this.#socket.writableNeedDrain;
    if (full) this.#socket.pause();
    else this.#socket.resume();
  }

  #startFrameTimer(): void {
    this.#frameTimer ??= setTimeout(() => {
      this.#frameTimer = null;
      // While we do not read, the rest cannot come.
      if (this.#socket.isPaused()) return this.#startFrameTimer();
      this.#refuse('bad_request', `a request must be whole within ${frameStartedTimeoutMs} ms`);
    }, frameStartedTimeoutMs).unref();
  }

  #stopFrameTimer(): void {
    if (this.#frameTimer !== null) clearTimeout(this.#frameTimer);
    this.#frameTimer = null;
  }
}
