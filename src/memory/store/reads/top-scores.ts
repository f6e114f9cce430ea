import { PagedNumbers } from './paged-numbers.ts';

/** Sums scores by id, and finds the ids with the highest sums. It is kept for the next query: its pages are large. */
export class TopScores {
  readonly #sums = new PagedNumbers();
  #ids: number[] = [];

  /** `score` is above 0. */
  add(id: number, score: number): void {
    if (this.#sums.add(id, score) === 0) this.#ids.push(id);
  }

  /** The ids of the `limit` highest sums, in any order; of equal ones the higher ids. All sums are 0 then. */
  highest(limit: number): number[] {
    const heap = new Float32Array(limit);
    for (const id of this.#ids) {
      const sum = this.#sums.get(id);
      if (sum > (heap[0] ?? 0)) replaceLowest(heap, sum);
    }
    const lowest = heap[0] ?? 0;
    const above = this.#ids.filter((id) => this.#sums.get(id) > lowest);
    const equal = this.#ids.filter((id) => this.#sums.get(id) === lowest);
    this.#ids = [];
    this.#sums.clear();
    return [...above, ...equal.sort((a, b) => b - a).slice(0, limit - above.length)];
  }
}

/** `heap` is a binary heap with the lowest value first. */
function replaceLowest(heap: Float32Array, value: number): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child += 1;
    if ((heap[child] ?? 0) >= value) break;
    heap[at] = heap[child] ?? 0;
    at = child;
  }
  heap[at] = value;
}
