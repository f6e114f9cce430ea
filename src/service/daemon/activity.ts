/** When the daemon was last needed. */
export class Activity {
  readonly #woken: () => void;
  #underWay = 0;
  #lastMs = performance.now();

  /** `woken` is told of each request. */
  constructor(woken: () => void) {
    this.#woken = woken;
  }

  /** Somebody asks something: it counts at this moment. */
  readonly seen = (): void => {
    this.#lastMs = performance.now();
    this.#woken();
  };

  /** A request that counts from its begin to its end, however long it takes. */
  async during<Reply>(answer: () => Promise<Reply>): Promise<Reply> {
    this.seen();
    this.#underWay += 1;
    try {
      return await answer();
    } finally {
      this.#underWay -= 1;
      this.#lastMs = performance.now();
    }
  }

  /** `performance.now()` of the last moment at which somebody needed an answer. */
  lastMs(): number {
    return this.#underWay > 0 ? performance.now() : this.#lastMs;
  }
}
