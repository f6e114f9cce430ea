/** A page holds four messages with all their passages, most of which have one or two. */
const pageBits = 8;
const pageMask = (1 << pageBits) - 1;

/** A float32 for each id, 0 at first. Ids are dense in parts and may be far apart: an import keeps ids of up to 1e9. */
export class PagedNumbers {
  readonly #pages = new Map<number, Float32Array>();
  #number = -1;
  #page: Float32Array = new Float32Array(0);

  get(id: number): number {
    return this.#pageOf(id)[id & pageMask] ?? 0;
  }

  /** Adds `more`, and returns the former number. */
  add(id: number, more: number): number {
    const page = this.#pageOf(id);
    const former = page[id & pageMask] ?? 0;
    page[id & pageMask] = former + more;
    return former;
  }

  /** All numbers are 0 again. */
  clear(): void {
    for (const page of this.#pages.values()) page.fill(0);
  }

  #pageOf(id: number): Float32Array {
    // Ids of passages have more than 32 bits.
    const number = Math.floor(id / (pageMask + 1));
    if (number === this.#number) return this.#page;
    this.#number = number;
    this.#page = this.#pages.get(number) ?? new Float32Array(pageMask + 1);
    this.#pages.set(number, this.#page);
    return this.#page;
  }
}
