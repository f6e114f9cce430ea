import fs from 'node:fs';
import { LineSplitter, type SplitLine } from '#core/platform';

const chunkBytes = 256 * 1024;

/** The lines of a file in bounded memory (one chunk and one line of at most `bytesMax`); a last line needs no newline. */
export function* linesOf(fd: number, from = 0, bytesMax?: number): Generator<SplitLine> {
  const splitter = new LineSplitter(bytesMax);
  for (let position = from; ; ) {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const read = fs.readSync(fd, chunk, 0, chunk.length, position);
    if (read === 0) break;
    yield* splitter.take(chunk.subarray(0, read));
    position += read;
  }
  yield* splitter.end();
}
