/**
 * The inner loops over all vectors of an index, in one memory. Addresses and `stride` are in bytes; a row is `stride` signed
 * bytes, a multiple of 16; wide vectors are `stride` float32. All implementations give the same bits.
 */
export interface Kernel {
  readonly memory: ScanMemory;
  /** The dot products of `count` rows from `row` with the int16 vector at `query`, as int32 from `out`. */
  dots(row: number, count: number, stride: number, query: number, out: number): void;
  /** Writes `fall * (behind + scale * row)` to `out`. */
  fallBehind(behind: number, row: number, stride: number, scale: number, fall: number, out: number): void;
  /**
   * Returns the square of the length of `own * scale * row + behind + ahead`, then makes `ahead`
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
