import { frameBytesMax, frameDepthMax, frameValuesMax } from '../limits.ts';

/** A request's bytes, or why there will be none; after `fatal` the connection cannot be understood any more. */
export type Frame =
  | { readonly kind: 'request'; readonly bytes: Buffer }
  | { readonly kind: 'fatal'; readonly code: 'bad_request' | 'too_large'; readonly message: string };

const newline = 0x0a;
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/**
 * Cuts a byte stream into requests: a request ends at a newline, or as soon as one whole JSON object has
 * arrived, or at the end of the stream. Size, nesting and number of values are bounded while the bytes come
 * in, before anything is parsed.
 */
export class Framer {
  #parts: Buffer[] = [];
  #bytes = 0;
  #depth = 0;
  #values = 0;
  #inString = false;
  #escaped = false;
  #started = false;
  #isObject = false;
  #fatal = false;

  /** Whether part of a request has arrived. */
  get pending(): boolean {
    return this.#started;
  }

  push(chunk: Buffer): Frame[] {
    const frames: Frame[] = [];
    if (this.#fatal) return frames;
    let from = 0;
    for (let at = 0; at < chunk.length && !this.#fatal; at += 1) {
      const ended = this.#step(chunk[at] ?? 0);
      if (ended === 'no') continue;
      if (ended === 'fatal') {
        frames.push(this.#refuse('bad_request', `a request may nest at most ${frameDepthMax} deep`));
        return frames;
      }
      const frame = this.#finish(chunk.subarray(from, at + 1));
      from = at + 1;
      if (frame !== null) frames.push(frame);
    }
    this.#keep(chunk.subarray(from));
    if (!this.#fatal && this.#bytes > frameBytesMax) {
      frames.push(this.#refuse('too_large', `a request may have at most ${frameBytesMax} bytes`));
    } else if (!this.#fatal && this.#values > frameValuesMax) {
      frames.push(this.#refuse('too_large', `a request may hold at most ${frameValuesMax} values`));
    }
    return frames;
  }

  /** What has arrived when the other side ends its half without a newline. */
  end(): Frame[] {
    const frame = this.#fatal ? null : this.#finish(Buffer.alloc(0));
    return frame === null ? [] : [frame];
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
    const started = this.#started;
    this.#keep(last);
    const { bytes, frame } = { bytes: this.#bytes, frame: Buffer.concat(this.#parts) };
    const values = this.#values;
    this.#reset();
    if (!started) return null;
    if (bytes > frameBytesMax) {
      return this.#refuse('too_large', `a request may have at most ${frameBytesMax} bytes`);
    }
    if (values > frameValuesMax) {
      return this.#refuse('too_large', `a request may hold at most ${frameValuesMax} values`);
    }
    return { kind: 'request', bytes: frame };
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#parts.push(bytes);
    this.#bytes += bytes.length;
  }

  #refuse(code: 'bad_request' | 'too_large', message: string): Frame {
    this.#reset();
    this.#fatal = true;
    return { kind: 'fatal', code, message };
  }

  #reset(): void {
    this.#parts = [];
    this.#bytes = 0;
    this.#depth = 0;
    this.#values = 0;
    this.#inString = false;
    this.#escaped = false;
    this.#started = false;
    this.#isObject = false;
  }
}
