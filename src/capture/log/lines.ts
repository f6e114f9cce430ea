import fs from 'node:fs';

/** One line of a file, without its newline; `number` counts from 1. */
export interface Line {
  readonly number: number;
  readonly bytes: Buffer;
}

/** The lines of a file in bounded memory (one chunk and one line); a last line needs no newline. */
export function* linesOf(fd: number, chunkBytes = 256 * 1024): Generator<Line> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let parts: Buffer[] = [];
  let number = 0;
  for (let position = 0; ; ) {
    const read = fs.readSync(fd, chunk, 0, chunk.length, position);
    if (read === 0) break;
    position += read;
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1 && at < read; at = chunk.indexOf(10, from)) {
      parts.push(Buffer.from(chunk.subarray(from, at)));
      number += 1;
      yield { number, bytes: Buffer.concat(parts) };
      parts = [];
      from = at + 1;
    }
    if (from < read) parts.push(Buffer.from(chunk.subarray(from, read)));
  }
  if (parts.length > 0) yield { number: number + 1, bytes: Buffer.concat(parts) };
}
