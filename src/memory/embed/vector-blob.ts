import { endianness } from 'node:os';

/** A vector as float32, little-endian, 4 bytes a number. */
export function vectorToBlob(vector: Float32Array): Uint8Array {
  const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength).slice();
  if (endianness() === 'BE') Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).swap32();
  return bytes;
}
