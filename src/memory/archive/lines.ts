import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import { archiveChunkBytes, archiveLineBytesMax } from '../../core/limits.ts';

/** A line without its newline, or why it cannot be read; `end` is the offset after it. */
export type FileLine = { readonly end: number } & ({ readonly text: string } | { readonly reason: string });

/** The lines of a file from byte `offset` on, in bounded memory: one longer than `archiveLineBytesMax` is skipped. */
export function* linesFrom(fd: number, offset: number): Generator<FileLine> {
  const chunk = Buffer.allocUnsafe(archiveChunkBytes);
  let parts: Buffer[] = [];
  let length = 0;
  const add = (bytes: Buffer): void => {
    length += bytes.length;
    if (length > archiveLineBytesMax) parts = [];
    else parts.push(Buffer.from(bytes));
  };
  for (let position = offset; ; ) {
    const read = fs.readSync(fd, chunk, 0, chunk.length, position);
    if (read === 0) {
      if (length > 0) yield lineOf(parts, length, position);
      return;
    }
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1 && at < read; at = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, at));
      yield lineOf(parts, length, position + at + 1);
      parts = [];
      length = 0;
      from = at + 1;
    }
    add(chunk.subarray(from, read));
    position += read;
  }
}

function lineOf(parts: readonly Buffer[], length: number, end: number): FileLine {
  if (length > archiveLineBytesMax) return { end, reason: `longer than ${archiveLineBytesMax} bytes` };
  const bytes = Buffer.concat(parts);
  return isUtf8(bytes) ? { end, text: bytes.toString('utf8') } : { end, reason: 'not UTF-8' };
}
