import { endianness } from 'node:os';

/** A vector as float32, little-endian, 4 bytes a number: whole, for whoever packs it or compares it elsewhere. */
export function vectorToBlob(vector: Float32Array): Uint8Array {
  const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength).slice();
  return swapped(bytes);
}

/**
 * The vector in a blob.
 * @throws RangeError when the blob is not a whole number of float32 values.
 */
export function blobToVector(blob: Uint8Array): Float32Array {
  if (blob.byteLength % 4 !== 0) throw new RangeError(`a vector of ${blob.byteLength} bytes is cut`);
  // A copy: SQLite's buffer need not be aligned to four bytes.
  return new Float32Array(swapped(blob.slice()).buffer);
}

function swapped(bytes: Uint8Array): Uint8Array {
  if (endianness() === 'BE') Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).swap32();
  return bytes;
}
