import fs from 'node:fs';
import { pipeline, type Readable, Transform } from 'node:stream';
import zlib from 'node:zlib';
import { type Json, parseJson } from '#core/event';
import { transcriptDocumentBytesMax, transcriptLineBytesMax } from '#core/limits';
import { Failure, LineSplitter, messageOf, type SplitLine } from '#core/platform';

/** A line that is not blank; `bytes` is null when it is longer than `transcriptLineBytesMax`. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Where it begins, in unpacked bytes from where the reading began. */
  readonly at: number;
  readonly bytes: Buffer | null;
}

const openedChunkBytes = 64 * 1024;

/** A file that is open, and where reading begins. */
export interface Opened {
  readonly fd: number;
  readonly start: number;
}

/**
 * The lines of a file, unpacked when its name ends in `.gz` or `.zst`, in one batch per read. Holds one line at most.
 * Stops after about `bytesMax` unpacked bytes, with the line there cut.
 * @throws Failure `transcript_unreadable`, also midway, after the lines that could be read.
 */
export async function* linesOf(
  file: string,
  bytesMax = Number.POSITIVE_INFINITY,
  opened?: Opened,
): AsyncGenerator<readonly Line[]> {
  const splitter = new LineSplitter(transcriptLineBytesMax);
  let bytes = 0;
  for await (const chunk of opened === undefined ? chunksOf(file) : chunksFrom(file, opened)) {
    yield splitter.take(chunk).flatMap(wanted);
    bytes += chunk.length;
    if (bytes >= bytesMax) break;
  }
  yield splitter.end().flatMap(wanted);
}

/**
 * The file as one JSON document; undefined when it is not one, or longer than `transcriptDocumentBytesMax` unpacked.
 * @throws Failure `transcript_unreadable`
 */
export async function documentOf(file: string): Promise<Json | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunksOf(file)) {
    bytes += chunk.length;
    if (bytes > transcriptDocumentBytesMax) return undefined;
    chunks.push(chunk);
  }
  return jsonIn(Buffer.concat(chunks));
}

/** Undefined when it is not JSON. A byte order mark is skipped. */
export function jsonIn(bytes: Buffer): Json | undefined {
  return parseJson(bytes.toString('utf8').replace(/^\uFEFF/, ''));
}

async function* chunksOf(file: string): AsyncGenerator<Buffer> {
  const unpack = unpacker(file);
  const source = fs.createReadStream(file);
  let bytes: Readable = source;
  if (unpack !== null) {
    // An error also destroys the last stream, and so reaches the loop below.
    bytes = pipeline(source, unpack, () => {});
  }
  try {
    for await (const chunk of bytes) if (Buffer.isBuffer(chunk)) yield chunk;
  } catch (error) {
    throw unreadable(file, error);
  } finally {
    source.destroy();
    bytes.destroy();
  }
}

/** What was opened stays open. */
function* chunksFrom(file: string, { fd, start }: Opened): Generator<Buffer> {
  for (let at = start; ; ) {
    const chunk = Buffer.alloc(openedChunkBytes);
    let bytes: number;
    try {
      bytes = fs.readSync(fd, chunk, 0, chunk.length, at);
    } catch (error) {
      throw unreadable(file, error);
    }
    if (bytes === 0) return;
    yield chunk.subarray(0, bytes);
    at += bytes;
  }
}

/** Node.js unpacks `.zst` from 22.15 and 23.8 on. */
export const unpacksZstd = 'createZstdDecompress' in zlib;

/** What unpacks the file, null when it is plain. @throws Failure `transcript_unreadable` */
function unpacker(file: string): Transform | null {
  if (file.endsWith('.gz')) return zlib.createGunzip();
  if (!file.endsWith('.zst')) return null;
  const make: unknown = Reflect.get(zlib, 'createZstdDecompress');
  const made: unknown = typeof make === 'function' ? Reflect.apply(make, zlib, []) : null;
  if (made instanceof Transform) return made;
  throw unreadable(file, new Error('unpacking zstd needs Node.js 22.15 or newer'));
}

export function unreadable(file: string, cause: unknown): Failure {
  return new Failure('transcript_unreadable', `the transcript ${file} cannot be read: ${messageOf(cause)}`, {
    safe: 'the readable part was stored, and the others are read',
    repair: 'repair or remove it, then run the backfill again',
    cause,
  });
}

function wanted({ number, at, bytes, isTooLong }: SplitLine): Line[] {
  if (isTooLong) return [{ number, at, bytes: null }];
  return isBlank(bytes) ? [] : [{ number, at, bytes }];
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
