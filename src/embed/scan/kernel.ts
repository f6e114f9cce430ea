/**
 * What is done to every vector of an index, over one memory. Addresses and `stride` are in bytes; a row is `stride` signed
 * bytes, a multiple of 16; wide vectors are `stride` float32. All implementations give the same bits.
 */
export interface Kernel {
  readonly memory: ScanMemory;
  /** The largest size among the numbers of a wide vector. */
  largest(wide: number, stride: number): number;
  /** The dot product of two wide vectors. */
  product(wide: number, other: number, stride: number): number;
  /** The dot product of a wide vector and a row, without the row's scale. */
  along(wide: number, row: number, stride: number): number;
  /** Writes the whole numbers next to `inverse` times those of a wide vector (halves to the even one) into a row. */
  pack(wide: number, row: number, stride: number, inverse: number): void;
  /** The dot products of `count` rows from `row` with the int16 vector at `query`, as int32 from `out`. */
  dots(row: number, count: number, stride: number, query: number, out: number): void;
  /** Writes `fall * (behind + scale * row)` to `out`. */
  fallBehind(behind: number, row: number, stride: number, scale: number, fall: number, out: number): void;
  /**
   * Answers the square of the length of `own * scale * row + behind + ahead`, then makes `ahead`
   * `fall * (ahead + scale * row)`.
   */
  squareOfSum(
    behind: number,
    ahead: number,
    row: number,
    stride: number,
    scale: number,
    own: number,
    fall: number,
  ): number;
}

export interface ScanMemory {
  /** Another object after it has grown. */
  readonly buffer: ArrayBuffer;
  /** Grows by pages of `pageBytes`, zeros. @throws RangeError when there is no room */
  grow(pages: number): number;
}

export const pageBytes = 65_536;
