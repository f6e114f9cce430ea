/** Bytes before the codes of a packed vector: its scale, float32, little-endian. */
export const vectorHeadBytes = 4;

/**
 * Packs a vector as a scale and one signed byte for each number, -127 to 127; number = code * scale. The result stands for
 * `vector` at unit length. A number is off by at most 1/254 of the largest. The scale makes the projection of the packed vector
 * on the original one 1, so that rounding changes cosines the least.
 */
export function packVector(vector: Float32Array): Uint8Array {
  const packed = new Uint8Array(vectorHeadBytes + vector.length);
  let largest = 0;
  let squares = 0;
  for (let k = 0; k < vector.length; k++) {
    const size = Math.abs(vector[k] ?? 0);
    if (size > largest) largest = size;
    squares += size * size;
  }
  // Only zeros, or not finite: similar to nothing.
  if (!(largest > 0 && Number.isFinite(squares))) return packed;
  const inverse = codeMax / largest;
  let along = 0;
  for (let k = 0; k < vector.length; k++) {
    const value = vector[k] ?? 0;
    const code = Math.round(value * inverse);
    packed[vectorHeadBytes + k] = code;
    along += value * code;
  }
  viewOf(packed).setFloat32(0, Math.sqrt(squares) / along, true);
  return packed;
}

/** A stored value if it is one or more packed vectors of `dim` numbers, one after the other, else null. */
export function packedIn(blob: Uint8Array, dim: number): Uint8Array | null {
  return dim >= 1 && blob.byteLength > 0 && blob.byteLength % (vectorHeadBytes + dim) === 0 ? blob : null;
}

/** The value of code 1; 0 if the stored scale is not valid. */
export function scaleOf(packed: Uint8Array): number {
  const scale = viewOf(packed).getFloat32(0, true);
  return scale > 0 && scale <= scaleMax ? scale : 0;
}

/** The numbers that a packed vector stands for. */
export function unpackVector(packed: Uint8Array): Float32Array {
  const scale = scaleOf(packed);
  const codes = new Int8Array(
    packed.buffer,
    packed.byteOffset + vectorHeadBytes,
    packed.length - vectorHeadBytes,
  );
  return Float32Array.from(codes, (code) => code * scale);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const codeMax = 127;
/** The largest number of a unit vector is 1; rounding makes a scale only slightly larger than 1 / `codeMax`. */
const scaleMax = 1.5 / codeMax;
