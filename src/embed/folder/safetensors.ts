import fs from 'node:fs';
import * as v from 'valibot';
import { safetensorsHeaderBytesMax } from '../../limits.ts';
import { unusable } from './unusable.ts';

/** A tensor of a file: its values as they lie there, read out one by one through `at`. */
export interface Tensor {
  readonly shape: readonly number[];
  /** The value at a place in row-major order, as a number. */
  readonly at: (place: number) => number;
}

/** An open safetensors file. Only what is asked for is read. */
export interface Safetensors {
  /** @throws Failure `embed_model` when it is of another type, or not whole */
  tensor(name: string): Tensor | null;
}

/**
 * Reads the header of a safetensors file: eight bytes of length, JSON, then the tensors' bytes, little-endian.
 * https://github.com/huggingface/safetensors#format
 * @throws Failure `embed_model` when it has not this form
 */
export function readSafetensors(descriptor: number, file: string): Safetensors {
  const { size } = fs.fstatSync(descriptor);
  const length = size < 8 ? 0 : Number(read(descriptor, 0, 8, file).readBigUInt64LE());
  if (length < 2 || length > safetensorsHeaderBytesMax || 8 + length > size) {
    throw unusable(file, 'has no safetensors header');
  }
  const header = parsed(read(descriptor, 8, length, file).toString('utf8'), file);
  return {
    tensor: (name) => {
      const entry = v.safeParse(entrySchema, header[name]);
      if (header[name] === undefined) return null;
      if (!entry.success)
        throw unusable(file, `describes its tensor "${name}" in a way that is not safetensors'`);
      const { dtype, shape, data_offsets: offsets } = entry.output;
      const [from, to] = offsets;
      const type = types[dtype];
      if (type === undefined) throw unusable(file, `holds "${name}" as ${dtype}, which is not supported`);
      const bytes = shape.reduce((product, one) => product * one, type.bytes);
      if (to - from !== bytes || 8 + length + to > size)
        throw unusable(file, `is cut: "${name}" is not whole`);
      return { shape, at: type.reader(read(descriptor, 8 + length + from, bytes, file)) };
    },
  };
}

const whole = v.pipe(v.number(), v.integer(), v.minValue(0));
const entrySchema = v.object({
  dtype: v.string(),
  shape: v.array(whole),
  data_offsets: v.tuple([whole, whole]),
});
const headerSchema = v.record(v.string(), v.unknown());

function parsed(text: string, file: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw unusable(file, 'has a header that is no JSON', error);
  }
  const header = v.safeParse(headerSchema, value);
  if (!header.success) throw unusable(file, 'has a header that is no JSON object');
  return header.output;
}

function read(descriptor: number, position: number, length: number, file: string): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const count = fs.readSync(descriptor, bytes, at, length - at, position + at);
    if (count === 0) throw unusable(file, 'is cut');
    at += count;
  }
  return bytes;
}

interface ElementType {
  readonly bytes: number;
  readonly reader: (bytes: Buffer) => (place: number) => number;
}

const types: Readonly<Record<string, ElementType>> = {
  F64: { bytes: 8, reader: (bytes) => (place) => bytes.readDoubleLE(place * 8) },
  F32: { bytes: 4, reader: readerOfFloats },
  F16: { bytes: 2, reader: (bytes) => (place) => halfAt(bytes, place * 2) },
  I64: { bytes: 8, reader: (bytes) => (place) => Number(bytes.readBigInt64LE(place * 8)) },
  I32: { bytes: 4, reader: (bytes) => (place) => bytes.readInt32LE(place * 4) },
};

/** A typed array reads several times faster than a buffer; it needs an aligned start and a little-endian machine. */
function readerOfFloats(bytes: Buffer): (place: number) => number {
  const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
  if (!isLittleEndian || bytes.byteOffset % 4 !== 0) return (place) => bytes.readFloatLE(place * 4);
  const floats = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  return (place) => floats[place] ?? 0;
}

/** IEEE 754 binary16: a sign, five bits of exponent, ten of fraction. */
function halfAt(bytes: Buffer, offset: number): number {
  const bits = bytes.readUInt16LE(offset);
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
