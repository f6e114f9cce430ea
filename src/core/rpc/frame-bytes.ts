import { frameBytesMax, frameInlineBytesMax } from '../limits.ts';

/** The memory for all large frames that are coming in or wait to be answered, shared by all connections. */
export class FrameBudget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** False, and nothing taken, when there is not so much left. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#left += bytes;
  }
}

/** A large frame's bytes in memory of their own, and how much of the budget that memory holds. */
export interface HeldBytes {
  readonly bytes: Buffer;
  readonly reserved: number;
}

/**
 * The bytes of one frame that came in pieces, in one growing buffer: pieces kept as they came would cost a slow
 * writer's frame hundreds of bytes for each of its own. Up to `frameInlineBytesMax` a frame is free of the budget,
 * so that large ones never keep an ordinary one out; connections are bounded in number.
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

  /** False when the budget has no room for it; what was there stays. */
  add(piece: Buffer): boolean {
    const needed = this.#length + piece.length;
    if (needed > this.#buffer.length && !this.#grow(needed)) return false;
    piece.copy(this.#buffer, this.#length);
    this.#length = needed;
    return true;
  }

  /** Hands the bytes over with what they hold of the budget, which the taker gives back. */
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
    // Not from Node's pool: a large frame's memory is handed to another thread as a whole.
    const grown = Buffer.allocUnsafeSlow(capacity);
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
    return true;
  }
}

const nothing = Buffer.alloc(0);
const firstBytes = 4_096;
