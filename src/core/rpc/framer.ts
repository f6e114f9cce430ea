import { frameBytesMax, frameDepthMax, frameInlineBytesMax, frameValuesMax } from '../limits.ts';
import { type FrameBudget, FrameBytes, type HeldBytes } from './frame-bytes.ts';

/**
 * A request's bytes, or why the connection ends. A `large` frame is above `frameInlineBytesMax`; its consumer gives `reserved` back to the
 * budget.
 */
export type Frame =
  | { readonly kind: 'request'; readonly bytes: Buffer; readonly values: number }
  | ({ readonly kind: 'large' } & HeldBytes)
  | { readonly kind: 'fatal'; readonly code: 'bad_request' | 'too_large' | 'busy'; readonly message: string };

const newline = 0x0a;
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/**
 * Cuts a byte stream into requests. A request ends at a newline, when one whole JSON object has arrived, or at the end of the stream.
 * Size, nesting and number of values are checked as the bytes arrive, before parsing.
 */
export class Framer {
  /** The bytes before the current chunk. */
  readonly #held: FrameBytes;
  #depth = 0;
  #values = 0;
  #inString = false;
  #escaped = false;
  #started = false;
  #isObject = false;
  #fatal = false;

  constructor(budget: FrameBudget) {
    this.#held = new FrameBytes(budget);
  }

  /** Whether part of a request has arrived. */
  get pending(): boolean {
    return this.#started;
  }

  push(chunk: Buffer): Frame[] {
    const frames: Frame[] = [];
    let from = 0;
    for (let at = 0; at < chunk.length && !this.#fatal; at += 1) {
      if (this.#inString && !this.#escaped) at = endOfPlain(chunk, at);
      const ended = at < chunk.length ? this.#step(chunk[at] ?? 0) : 'no';
      if (ended === 'no') continue;
      if (ended === 'fatal') {
        frames.push(this.#refuse('bad_request', `a request may nest at most ${frameDepthMax} deep`));
        break;
      }
      const frame = this.#finish(chunk.subarray(from, at + 1));
      from = at + 1;
      if (frame !== null) frames.push(frame);
    }
    const refused = this.#fatal ? null : this.#keep(chunk.subarray(from));
    if (refused !== null) frames.push(refused);
    return frames;
  }

  /** The frame that ends with the stream, without a newline. */
  end(): Frame[] {
    const frame = this.#fatal ? null : this.#finish(Buffer.alloc(0));
    return frame === null ? [] : [frame];
  }

  /** Drops what has arrived. */
  abandon(): void {
    this.#reset();
    this.#fatal = true;
  }

  #step(byte: number): 'no' | 'ended' | 'fatal' {
    if (byte === newline) return 'ended';
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === backslash) this.#escaped = true;
      else if (byte === quote) this.#inString = false;
      return 'no';
    }
    if (!this.#started) {
      if (byte === 0x20 || byte === 0x09 || byte === 0x0d) return 'no';
      this.#started = true;
      this.#isObject = byte === openBrace;
    }
    if (byte === quote) this.#inString = true;
    else if (byte === comma) this.#values += 1;
    else if (byte === openBrace || byte === openBracket) {
      this.#depth += 1;
      if (this.#depth > frameDepthMax) return 'fatal';
    } else if (byte === closeBrace || byte === closeBracket) {
      this.#depth -= 1;
      if (this.#depth === 0 && this.#isObject) return 'ended';
    }
    return 'no';
  }

  #finish(last: Buffer): Frame | null {
    if (!this.#started) {
      this.#reset();
      return null;
    }
    const isWhole = this.#held.length === 0 && last.length <= frameInlineBytesMax;
    const refused = isWhole ? this.#beyondLimits(last.length) : this.#keep(last);
    if (refused !== null) return refused;
    // Most requests come in one chunk and are not copied.
    const values = this.#values;
    const { bytes, reserved } = isWhole ? { bytes: last, reserved: 0 } : this.#held.take();
    this.#reset();
    // Only a large frame has reserved memory.
    return reserved > 0 ? { kind: 'large', bytes, reserved } : { kind: 'request', bytes, values };
  }

  /** Adds to the held bytes; returns the refusal, if any. */
  #keep(piece: Buffer): Frame | null {
    if (piece.length === 0) return null;
    const refused = this.#beyondLimits(this.#held.length + piece.length);
    if (refused !== null || this.#held.add(piece)) return refused;
    return this.#refuse('busy', 'too many large requests are running. Try again.');
  }

  #beyondLimits(bytes: number): Frame | null {
    if (bytes > frameBytesMax)
      return this.#refuse('too_large', `a request may have at most ${frameBytesMax} bytes`);
    if (this.#values > frameValuesMax)
      return this.#refuse('too_large', `a request may hold at most ${frameValuesMax} values`);
    return null;
  }

  #refuse(code: 'bad_request' | 'too_large' | 'busy', message: string): Frame {
    this.abandon();
    return { kind: 'fatal', code, message };
  }

  #reset(): void {
    this.#held.clear();
    this.#depth = 0;
    this.#values = 0;
    this.#inString = false;
    this.#escaped = false;
    this.#started = false;
    this.#isObject = false;
  }
}

/** The end of plain text, which is nearly all of a large frame and so has a loop of its own. */
function endOfPlain(chunk: Buffer, from: number): number {
  let at = from;
  for (; at < chunk.length; at += 1) {
    const byte = chunk[at];
    if (byte === quote || byte === backslash || byte === newline) break;
  }
  return at;
}
