import type { Socket } from 'node:net';
import type { Json, JsonObject } from '#core/event';
import { systemRepair, withRepair } from '#core/platform';
import { refusedLingerMs } from '../limits.ts';
import type { FrameBudget, HeldBytes } from './frame-bytes.ts';
import { type Frame, Framer } from './framer.ts';
import { parseRequest } from './parse.ts';
import {
  encodeLine,
  errorReply,
  errorReplyOf,
  type Handler,
  type LargeHandler,
  type LargeRead,
} from './protocol.ts';
import type { Turns } from './turns.ts';

const connectionReplyBytesMax = 32 * 1024 * 1024;
const connectionRequestsQueuedMax = 256;
const frameStartedTimeoutMs = 10_000;

const finishLingerMs = 2_000;

export interface ConnectionOptions {
  readonly handle: Handler;
  readonly large: LargeHandler;
  /** Takes what a handler threw that is not a refusal. */
  readonly internal: (error: unknown) => void;
  readonly budget: FrameBudget;
  readonly turns: Turns;
}

/**
 * One client's connection: requests start as they arrive and are answered in their order. Reading stops while too many run or the
 * client does not read its replies.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #framer: Framer;
  readonly #gone = new AbortController();
  #underWay = 0;
  #waitsForTurn = 0;
  #turn: Promise<void> = Promise.resolve();
  #frameTimer: NodeJS.Timeout | null = null;
  #refused = false;
  #halfClosed = false;
  /** When it last did something, in ms of `performance.now()`. */
  lastActive = performance.now();

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#framer = new Framer(options.budget);
    socket.on('data', (chunk: Buffer) => this.#inTurn(() => this.#receive(this.#framer.push(chunk))));
    socket.on('end', () => {
      this.#halfClosed = true;
      this.#inTurn(() => {
        this.#receive(this.#framer.end());
        this.#turn = this.#turn.then(() => void socket.end());
      });
    });
    socket.on('drain', () => this.#flow());
    // After a reset, `close` follows.
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#stopFrameTimer();
      this.#framer.abandon();
      this.#gone.abort();
    });
  }

  /** Whether the client sends nothing more: it waits for a last reply, or has ended unnoticed. */
  get halfClosed(): boolean {
    return this.#halfClosed;
  }

  get idle(): boolean {
    return this.#underWay === 0;
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Answers the requests that run, then ends; cut off after `finishLingerMs`. */
  finish(): void {
    void this.#turn.then(() => this.#socket.end(() => this.#socket.destroy()));
    this.#socket.pause();
    setTimeout(() => this.#socket.destroy(), finishLingerMs).unref();
  }

  /** Reading stops until what has been read is processed. */
  #inTurn(work: () => void): void {
    this.#waitsForTurn += 1;
    const isDone = this.#options.turns.run(() => {
      this.#waitsForTurn -= 1;
      if (!this.#socket.destroyed) work();
    });
    if (!isDone) this.#socket.pause();
  }

  #receive(frames: readonly Frame[]): void {
    this.lastActive = performance.now();
    // The time limit of a frame starts with its first byte.
    if (frames.length > 0) this.#stopFrameTimer();
    for (const frame of frames) {
      if (this.#refused) break;
      if (frame.kind === 'fatal') this.#refuse(frame.code, frame.message);
      else this.#begin(frame);
    }
    if (this.#framer.pending && !this.#refused) this.#startFrameTimer();
    else this.#stopFrameTimer();
    this.#flow();
  }

  #begin(frame: Exclude<Frame, { kind: 'fatal' }>): void {
    this.#underWay += 1;
    const before = this.#turn;
    let rid: JsonObject = {};
    const onRid = (value: Json): void => {
      rid = { rid: value };
    };
    const interim = (fields: JsonObject): void => {
      void before.then(() => this.#write({ ...fields, ...rid }));
    };
    const reply = this.#answer(frame, onRid, interim);
    this.#turn = before.then(async () => {
      this.#write({ ...(await reply), ...rid });
      this.#underWay -= 1;
      this.lastActive = performance.now();
      this.#flow();
    });
  }

  async #answer(
    frame: Exclude<Frame, { kind: 'fatal' }>,
    onRid: (rid: Json) => void,
    interim: (fields: JsonObject) => void,
  ): Promise<JsonObject> {
    const { handle, internal } = this.#options;
    const { signal } = this.#gone;
    try {
      if (frame.kind === 'large') {
        const read = await this.#readLarge(frame, onRid);
        return {
          ok: true,
          ...('reply' in read ? read.reply : await handle(read.request, { interim, signal })),
        };
      }
      const request = parseRequest(frame.bytes);
      if (request.rid !== undefined) onRid(request.rid);
      return { ok: true, ...(await handle(request, { frame, interim, signal })) };
    } catch (error) {
      const refused = errorReplyOf(error);
      if (refused !== null) return refused;
      internal(error);
      // For example a full disk.
      if (systemRepair(error) !== null) return errorReply('unavailable', withRepair(error));
      return errorReply('internal', 'the daemon failed on this request. Run `memd logs`.');
    }
  }

  async #readLarge({ bytes, reserved }: HeldBytes, onRid: (rid: Json) => void): Promise<LargeRead> {
    const { large, budget } = this.#options;
    try {
      return await large(bytes, onRid);
    } finally {
      budget.give(reserved);
    }
  }

  #refuse(code: 'bad_request' | 'too_large' | 'busy', message: string): void {
    this.#refused = true;
    this.#framer.abandon();
    this.#turn = this.#turn.then(() => {
      this.#write(errorReply(code, message));
      this.#socket.end();
      // Further bytes are read and dropped: closing with unread bytes would reset the connection before the client has read the refusal.
      setTimeout(() => this.#socket.destroy(), refusedLingerMs).unref();
    });
  }

  #write(reply: JsonObject): void {
    if (this.#socket.destroyed || !this.#socket.writable) return;
    const line = encodeLine(reply);
    const tooLong = line.length > connectionReplyBytesMax;
    this.#socket.write(
      tooLong ? encodeLine(errorReply('too_large', 'the reply is too long. Ask for less.')) : line,
    );
    if (this.#socket.writableLength > connectionReplyBytesMax) this.#socket.destroy();
  }

  #flow(): void {
    const full = this.#underWay >= connectionRequestsQueuedMax || this.#socket.writableNeedDrain;
    if (full || this.#waitsForTurn > 0) this.#socket.pause();
    else this.#socket.resume();
  }

  #startFrameTimer(): void {
    this.#frameTimer ??= setTimeout(() => {
      this.#frameTimer = null;
      // While reading is paused, the rest cannot arrive.
      if (this.#socket.isPaused()) return this.#startFrameTimer();
      this.#refuse('bad_request', `a request must be whole within ${frameStartedTimeoutMs} ms`);
    }, frameStartedTimeoutMs).unref();
  }

  #stopFrameTimer(): void {
    if (this.#frameTimer !== null) clearTimeout(this.#frameTimer);
    this.#frameTimer = null;
  }
}
