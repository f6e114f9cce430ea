/** The dot product of `unit` with the numbers of `matrix` from `start`. Four sums keep the processor's pipelines full. */
export function dotOfRow(unit: Float32Array, matrix: Float32Array, start: number): number {
  const dim = unit.length;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let at = 0;
  // The order of the sums is fixed, and so are the bits.
  for (; at + 3 < dim; at += 4) {
    a += (unit[at] ?? 0) * (matrix[start + at] ?? 0);
    b += (unit[at + 1] ?? 0) * (matrix[start + at + 1] ?? 0);
    c += (unit[at + 2] ?? 0) * (matrix[start + at + 2] ?? 0);
    d += (unit[at + 3] ?? 0) * (matrix[start + at + 3] ?? 0);
  }
  for (; at < dim; at++) a += (unit[at] ?? 0) * (matrix[start + at] ?? 0);
  return a + b + (c + d);
}

/** `vector` at a length of 1; one of zeros, or of that length already, as it is. */
export function toUnitLength(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  if (length === 0 || Math.abs(length - 1) < 1e-6) return vector;
  return vector.map((value) => value / length);
}
