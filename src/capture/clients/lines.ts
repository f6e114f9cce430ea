import fs from 'node:fs';
import { pipeline, type Readable, Transform } from 'node:stream';
import zlib from 'node:zlib';
import type { Json } from '../../core/event/index.ts';
import { transcriptDocumentBytesMax, transcriptLineBytesMax } from '../../core/limits.ts';
import { Failure, messageOf } from '../../core/platform/index.ts';

/** A line that is not blank; `bytes` is null when it is longer than `transcriptLineBytesMax`. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly bytes: Buffer | null;
}

/**
 * The lines of a file, unpacked when its name ends in `.gz` or `.zst`, in batches of what one read brought. Holds one
 * line at most, whatever the file's size. Reads no further than some `bytesMax` unpacked bytes, and then gives the line that
 * stands there cut.
 * @throws Failure `transcript_unreadable`, also midway, after the lines that could be read.
 */
export async function* linesOf(
  file: string,
  bytesMax = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly Line[]> {
  const splitter = new Splitter();
  let bytes = 0;
  for await (const chunk of chunksOf(file)) {
    yield splitter.take(chunk);
    bytes += chunk.length;
    if (bytes >= bytesMax) break;
  }
  yield splitter.end();
}

/**
 * The file as one JSON document, or undefined when it is none or longer than
 * `transcriptDocumentBytesMax`, unpacked.
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
  return parseJson(Buffer.concat(chunks));
}

/** Undefined when it is not JSON. A byte order mark is no part of the text. */
export function parseJson(bytes: Buffer): Json | undefined {
  const text = bytes.toString('utf8');
  try {
    const value: Json = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
    return value;
  } catch {
    // What is no JSON is the caller's answer, not a failure: it counts the line.
    return undefined;
  }
}

async function* chunksOf(file: string): AsyncGenerator<Buffer> {
  const unpack = unpacker(file);
  const source = fs.createReadStream(file);
  let bytes: Readable = source;
  if (unpack !== null) {
    // The callback may be idle: an error destroys the last stream too, and so reaches the loop below.
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

/** Whether this Node.js unpacks `.zst`: those do from 22.15 and 23.8 on. */
export const unpacksZstd = 'createZstdDecompress' in zlib;

/** What unpacks the file, null when it is plain. @throws Failure `transcript_unreadable` */
function unpacker(file: string): Transform | null {
  if (file.endsWith('.gz')) return zlib.createGunzip();
  if (!file.endsWith('.zst')) return null;
  const make: unknown = Reflect.get(zlib, 'createZstdDecompress');
  const made: unknown = typeof make === 'function' ? Reflect.apply(make, zlib, []) : null;
  if (made instanceof Transform) return made;
  throw unreadable(file, new Error('to unpack zstd takes Node.js 22.15 or newer'));
}

export function unreadable(file: string, cause: unknown): Failure {
  return new Failure('transcript_unreadable', `the transcript ${file} cannot be read: ${messageOf(cause)}`, {
    safe: 'what could be read of it was taken, and the others are read',
    repair: 'mend or remove it and run the backfill again',
    cause,
  });
}

const newline = 0x0a;

class Splitter {
  #number = 0;
  #parts: Buffer[] = [];
  #bytes = 0;

  take(chunk: Buffer): readonly Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      this.#add(chunk.subarray(from, at));
      this.#close(lines);
      from = at + 1;
    }
    this.#add(chunk.subarray(from));
    return lines;
  }

  /** The last line may lack its newline. */
  end(): readonly Line[] {
    const lines: Line[] = [];
    this.#close(lines);
    return lines;
  }

  #add(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > transcriptLineBytesMax) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #close(lines: Line[]): void {
    this.#number += 1;
    if (this.#bytes > transcriptLineBytesMax) {
      lines.push({ number: this.#number, bytes: null });
    } else {
      const bytes = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
      if (bytes !== undefined && !isBlank(bytes)) lines.push({ number: this.#number, bytes });
    }
    this.#parts = [];
    this.#bytes = 0;
  }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
