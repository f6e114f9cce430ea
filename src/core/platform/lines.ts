/** One line of a file, without its newline. */
export interface SplitLine {
  /** From 1. */
  readonly number: number;
  /** Where it begins, in bytes from where the reading began. */
  readonly at: number;
  readonly length: number;
  /** Empty for a line that is too long. */
  readonly bytes: Buffer;
  readonly isTooLong: boolean;
}

/** Cuts chunks of a file into lines. Holds one line of at most `bytesMax`, which may be parts of the chunks themselves. */
export class LineSplitter {
  readonly #bytesMax: number;
  #number = 0;
  #at = 0;
  #length = 0;
  #parts: Buffer[] = [];

  constructor(bytesMax = Number.POSITIVE_INFINITY) {
    this.#bytesMax = bytesMax;
  }

  take(chunk: Buffer): SplitLine[] {
    const lines: SplitLine[] = [];
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      this.#add(chunk.subarray(from, at));
      lines.push(this.#close());
      from = at + 1;
    }
    this.#add(chunk.subarray(from));
    return lines;
  }

  /** The last line, if it lacks its newline. */
  end(): SplitLine[] {
    return this.#length === 0 ? [] : [this.#close()];
  }

  #add(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > this.#bytesMax) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #close(): SplitLine {
    const [first = Buffer.alloc(0), ...others] = this.#parts;
    const bytes = others.length === 0 ? first : Buffer.concat(this.#parts);
    const length = this.#length;
    this.#number += 1;
    const line = { number: this.#number, at: this.#at, length, bytes, isTooLong: length > this.#bytesMax };
    this.#parts = [];
    this.#at += length + 1;
    this.#length = 0;
    return line;
  }
}
