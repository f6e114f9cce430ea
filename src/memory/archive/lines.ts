import { isUtf8 } from 'node:buffer';
import { linesOf } from '#capture/log';
import { archiveLineBytesMax } from '#core/limits';

/** A line without its newline, or why it cannot be read; `end` is the offset after it. */
export type FileLine = { readonly end: number } & ({ readonly text: string } | { readonly reason: string });

/** The lines of a file from byte `offset` on, in bounded memory: one longer than `archiveLineBytesMax` is skipped. */
export function* linesFrom(fd: number, offset: number): Generator<FileLine> {
  for (const { bytes, at, length, isTooLong } of linesOf(fd, offset, archiveLineBytesMax)) {
    const end = offset + at + length + 1;
    if (isTooLong) yield { end, reason: `longer than ${archiveLineBytesMax} bytes` };
    else yield isUtf8(bytes) ? { end, text: bytes.toString('utf8') } : { end, reason: 'not UTF-8' };
  }
}
