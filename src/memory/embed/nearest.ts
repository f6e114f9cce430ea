export interface Neighbour {
  readonly id: number;
  /** Cosine, -1 to 1. */
  readonly similarity: number;
}

/** Collects the `k` nearest, each id by its best similarity: nearest first, equal ones by descending id. */
export class Nearest {
  readonly #k: number;
  readonly #best: Neighbour[] = [];
  readonly #within = new Set<number>();
  /** Similarities below it need not be added. */
  threshold: number;

  constructor(k: number, minSimilarity: number) {
    this.#k = k;
    this.threshold = minSimilarity;
  }

  add(id: number, similarity: number): void {
    if (similarity < this.threshold) return;
    if (this.#within.has(id)) {
      const known = this.#best.findIndex((other) => other.id === id);
      if ((this.#best[known]?.similarity ?? 0) >= similarity) return;
      this.#best.splice(known, 1);
    }
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
    this.#within.add(id);
    if (this.#best.length > this.#k) this.#within.delete(this.#best.pop()?.id ?? id);
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
