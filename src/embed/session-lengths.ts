/** The weights of a sum: what a vector weighs itself, and by how much a neighbour's weight falls a step further off. */
export interface SumWeights {
  readonly own: number;
  readonly fall: number;
}

/**
 * The lengths of `own * v[i] + sum over j of fall^|i-j| * v[j]`, for vectors of `dim` numbers that begin in `matrix` at
 * `starts`. One pass forward keeps what lies behind each (`dim` float32 a vector), one backward adds what lies ahead.
 */
export function lengthsOfSums(
  matrix: Float32Array,
  starts: readonly number[],
  dim: number,
  { own, fall }: SumWeights,
): Float64Array {
  const behind = new Float32Array(starts.length * dim);
  for (let at = 1; at < starts.length; at++) {
    const start = starts[at - 1] ?? 0;
    const before = (at - 1) * dim;
    for (let k = 0; k < dim; k++) {
      behind[before + dim + k] = fall * ((behind[before + k] ?? 0) + (matrix[start + k] ?? 0));
    }
  }
  const lengths = new Float64Array(starts.length);
  const ahead = new Float32Array(dim);
  for (let at = starts.length - 1; at >= 0; at--) {
    const start = starts[at] ?? 0;
    let squares = 0;
    for (let k = 0; k < dim; k++) {
      const value = matrix[start + k] ?? 0;
      const sum = own * value + (behind[at * dim + k] ?? 0) + (ahead[k] ?? 0);
      squares += sum * sum;
      ahead[k] = fall * ((ahead[k] ?? 0) + value);
    }
    lengths[at] = Math.sqrt(squares);
  }
  return lengths;
}
