import { frameBytesMax, frameInlineBytesMax } from '../limits.ts';

/** The memory for all large frames that arrive or wait for an answer, shared by all connections. */
export class FrameBudget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** False, without a change, when less is left. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#left += bytes;
  }
}

/** A large frame's bytes in memory of their own, and its share of the budget. */
export interface HeldBytes {
  readonly bytes: Buffer;
  readonly reserved: number;
}

/**
 * The bytes of one frame that arrived in pieces, in one growing buffer: separate pieces would cost hundreds of bytes each. Up to
 * `frameInlineBytesMax` a frame does not count against the budget, so that large frames never block a small one.
 */
export class FrameBytes {
  readonly #budget: FrameBudget;
  #buffer: Buffer = nothing;
  #length = 0;
  #reserved = 0;

  constructor(budget: FrameBudget) {
    this.#budget = budget;
  }

  get length(): number {
    return this.#length;
  }

  /** False, without a change, when the budget has no room for it. */
  add(piece: Buffer): boolean {
    const needed = this.#length + piece.length;
    if (needed > this.#buffer.length && !this.#grow(needed)) return false;
    piece.copy(this.#buffer, this.#length);
    this.#length = needed;
    return true;
  }

  /** Moves the bytes and their share of the budget to the caller, who gives the share back. */
  take(): HeldBytes {
    const held = { bytes: this.#buffer.subarray(0, this.#length), reserved: this.#reserved };
    this.#reserved = 0;
    this.clear();
    return held;
  }

  clear(): void {
    this.#budget.give(this.#reserved);
    this.#buffer = nothing;
    this.#length = 0;
    this.#reserved = 0;
  }

  #grow(needed: number): boolean {
    const doubled = Math.min(
      2 * this.#buffer.length,
      needed > frameInlineBytesMax ? frameBytesMax : frameInlineBytesMax,
    );
    const capacity = Math.max(needed, doubled, firstBytes);
    const reserved = capacity > frameInlineBytesMax ? capacity : 0;
    if (!this.#budget.take(reserved - this.#reserved)) return false;
    this.#reserved = reserved;
    // Not from Node's pool: a large frame's memory moves to another thread.
    const grown = Buffer.allocUnsafeSlow(capacity);
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
    return true;
  }
}

const nothing = Buffer.alloc(0);
const firstBytes = 4_096;
