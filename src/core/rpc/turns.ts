export const turnWorkMs = 10;

/**
 * Shares the event loop among connections: work beyond `turnWorkMs` waits for a later turn, in order. Libuv reads up to 2 MB from each
 * connection per turn, which may hold hundreds of requests.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #spentMs = 0;
  #resets = false;

  /** Does the work now, or returns false and does it in a later turn. */
  run(work: () => void): boolean {
    if (this.#spentMs >= turnWorkMs || this.#waiting.length > 0) {
      this.#waiting.push(work);
      return false;
    }
    this.#do(work);
    return true;
  }

  #do(work: () => void): void {
    if (!this.#resets) setImmediate(() => this.#nextTurn());
    this.#resets = true;
    const started = performance.now();
    work();
    this.#spentMs += performance.now() - started;
  }

  #nextTurn(): void {
    this.#resets = false;
    this.#spentMs = 0;
    while (this.#spentMs < turnWorkMs) {
      const work = this.#waiting.shift();
      if (work === undefined) break;
      this.#do(work);
    }
  }
}
