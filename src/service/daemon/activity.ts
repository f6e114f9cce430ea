/** When the daemon last had something to do for a client. */
export class Activity {
  readonly #onRequest: () => void;
  #underWay = 0;
  #lastMs = performance.now();

  constructor(onRequest: () => void) {
    this.#onRequest = onRequest;
  }

  /** Counts a request at this moment. */
  readonly seen = (): void => {
    this.#lastMs = performance.now();
    this.#onRequest();
  };

  /** Counts a request from its start to its end. */
  readonly during = async <Reply>(answer: () => Promise<Reply>): Promise<Reply> => {
    this.seen();
    this.#underWay += 1;
    try {
      return await answer();
    } finally {
      this.#underWay -= 1;
      this.#lastMs = performance.now();
    }
  };

  /** `performance.now()` of the last activity. */
  lastMs(): number {
    return this.#underWay > 0 ? performance.now() : this.#lastMs;
  }
}
