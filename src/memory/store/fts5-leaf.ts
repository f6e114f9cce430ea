/**
 * A leaf page of FTS5's index, as it stands in `%_data`: https://www.sqlite.org/fts5.html#segment_b_tree_format
 */
export class Leaf {
  readonly #bytes: Uint8Array;
  /** Where the terms and rows end; behind it stands where each term begins. */
  readonly #end: number;
  readonly #termStarts: readonly number[];

  /** @throws RangeError when it is no such page */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#end = ((bytes[2] ?? 0) << 8) | (bytes[3] ?? 0);
    if (this.#end < headBytes || this.#end > bytes.length)
      throw new RangeError('no leaf of the lexical index');
    const cursor = { at: this.#end };
    const starts: number[] = [];
    for (let start = 0; cursor.at < bytes.length; starts.push(start)) start += numberAt(bytes, cursor);
    this.#termStarts = starts;
  }

  /**
   * Reads the rows of `term` that stand here into `into`; null when it is not here. True when they end here.
   * `term` is the key as FTS5 writes it, in bytes.
   */
  rowsOf(term: Uint8Array, into: RowReader): boolean | null {
    const cursor = { at: 0 };
    // How much of the term before the one looked at has in common with what is sought.
    let alike = 0;
    for (const [at, start] of this.#termStarts.entries()) {
      cursor.at = start;
      const kept = at === 0 ? 0 : numberAt(this.#bytes, cursor);
      const added = numberAt(this.#bytes, cursor);
      if (kept < alike) return null;
      if (kept === alike) {
        let more = 0;
        while (more < added && alike < term.length && this.#bytes[cursor.at + more] === term[alike]) {
          more += 1;
          alike += 1;
        }
        if (alike === term.length && more === added) {
          return this.#read(cursor.at + added, this.#termStarts[at + 1], into);
        }
      }
    }
    return null;
  }

  /** Reads on where the page before this one left off. True when the rows end here. */
  continue(into: RowReader): boolean {
    into.turnPage();
    return this.#read(headBytes, this.#termStarts[0], into);
  }

  #read(from: number, nextTerm: number | undefined, into: RowReader): boolean {
    into.take(this.#bytes, from, nextTerm ?? this.#end);
    return nextTerm !== undefined;
  }
}

/** The rows of a term in one segment, in ascending order, page by page. */
export class RowReader {
  #ids = new Float64Array(1_024);
  #times = new Uint32Array(1_024);
  #count = 0;
  #id = 0;
  /** Of the places in the row that is being read: how many bytes are still to come. */
  #left = 0;
  /** Whether a column's number comes next. */
  #isColumn = false;
  #isFirst = true;

  /** The ids, and how often it stands in each: 0 times where a row of an older segment is no more. */
  read(): { ids: Float64Array; times: Uint32Array } {
    return { ids: this.#ids.slice(0, this.#count), times: this.#times.slice(0, this.#count) };
  }

  /** Begins with another list, in the same memory. */
  reset(): void {
    this.#times.fill(0, 0, this.#count);
    this.#count = 0;
    this.#left = 0;
    this.#isColumn = false;
    this.#isFirst = true;
  }

  /** The first row of each page has its whole id. */
  turnPage(): void {
    this.#isFirst = true;
  }

  take(bytes: Uint8Array, from: number, end: number): void {
    const cursor = { at: from };
    if (this.#left > 0) this.#countPlaces(bytes, cursor, end);
    while (cursor.at < end) {
      const number = numberAt(bytes, cursor);
      this.#id = this.#isFirst ? number : this.#id + number;
      this.#isFirst = false;
      this.#left = numberAt(bytes, cursor) >>> 1;
      if (this.#count === this.#ids.length) this.#grow();
      this.#ids[this.#count] = this.#id;
      this.#count += 1;
      this.#countPlaces(bytes, cursor, end);
    }
  }

  /** Counts places: each is one number; a 1 says that the number of a column follows. */
  #countPlaces(bytes: Uint8Array, cursor: { at: number }, end: number): void {
    const until = Math.min(cursor.at + this.#left, end);
    this.#left -= until - cursor.at;
    let times = 0;
    let isWithin = false;
    for (let at = cursor.at; at < until; at++) {
      const byte = bytes[at] ?? 0;
      const isStart = !isWithin;
      isWithin = byte >= 0x80;
      if (isStart && byte === 1 && !this.#isColumn) this.#isColumn = true;
      else if (!isWithin) {
        if (this.#isColumn) this.#isColumn = false;
        else times += 1;
      }
    }
    cursor.at = until;
    const last = this.#count - 1;
    this.#times[last] = (this.#times[last] ?? 0) + times;
  }

  #grow(): void {
    const ids = new Float64Array(this.#ids.length * 2);
    ids.set(this.#ids);
    this.#ids = ids;
    const times = new Uint32Array(ids.length);
    times.set(this.#times);
    this.#times = times;
  }
}

/** SQLite's variable-length integer at `cursor`, which is moved behind it (https://www.sqlite.org/fileformat2.html#varint). */
export function numberAt(bytes: Uint8Array, cursor: { at: number }): number {
  let value = 0;
  // A ninth byte would hold eight bits: no id of this product is that large.
  for (;;) {
    const byte = bytes[cursor.at++];
    if (byte === undefined) throw new RangeError('a number of the lexical index is cut off');
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return value;
  }
}

const headBytes = 4;
