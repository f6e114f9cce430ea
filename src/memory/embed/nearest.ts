export interface Neighbour {
  readonly id: number;
  /** Cosine, -1 to 1. */
  readonly similarity: number;
}

/** Collects the `k` nearest: nearest first, equal ones by descending id. */
export class Nearest {
  readonly #k: number;
  readonly #best: Neighbour[] = [];
  /** Similarities below it need not be added. */
  threshold: number;

  constructor(k: number, minSimilarity: number) {
    this.#k = k;
    this.threshold = minSimilarity;
  }

  add(id: number, similarity: number): void {
    if (similarity < this.threshold) return;
    let low = 0;
    let high = this.#best.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#best[middle];
      if (other !== undefined && isBefore(other, id, similarity)) low = middle + 1;
      else high = middle;
    }
    if (low >= this.#k) return;
    this.#best.splice(low, 0, { id, similarity });
    if (this.#best.length > this.#k) this.#best.pop();
    const worst = this.#best[this.#k - 1];
    if (worst !== undefined) this.threshold = worst.similarity;
  }

  all(): Neighbour[] {
    return this.#best;
  }
}

function isBefore(other: Neighbour, id: number, similarity: number): boolean {
  return other.similarity > similarity || (other.similarity === similarity && other.id > id);
}
