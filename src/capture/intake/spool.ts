import fs from 'node:fs';
import path from 'node:path';
import type { Json } from '../../core/event/index.ts';
import { spoolBytesMax, spoolTextCharsMax, spoolValuesMax } from '../../core/limits.ts';
import { addTo, checkOwnFile, isFileAt, openToAdd } from '../../core/platform/index.ts';
import { adapt, type Context } from '../clients/index.ts';
import { encodeRecord } from '../log/index.ts';
import { prepare } from './prepare.ts';
import { shorten } from './shorten.ts';

export type Spooled = 'spooled' | 'dropped' | 'ignored';

/**
 * Keeps an observation that no daemon could be given, in the workspace's spool: redacted like any other, in the log's own form,
 * readable by its owner alone. The spool is bounded by `spoolBytesMax`; what does not fit is dropped, the oldest stay, and each
 * drop is counted by a byte in `spool.dropped`. The next daemon takes both in. The tool waits meanwhile: each text is read to
 * `spoolTextCharsMax`, and what is not redacted when `isOver` says so is left out, which the event says.
 * @throws Failure `unsafe_file` for a link, or a file of another user
 */
export function spool(file: string, payload: Json, context: Context, isOver?: () => boolean): Spooled {
  const room = { chars: spoolTextCharsMax, values: spoolValuesMax };
  const adapted = adapt(shorten(payload, room), context);
  if (adapted.kind === 'ignored') return 'ignored';
  // On a line of its own, also behind one that a hook was killed in the middle of.
  const line = Buffer.from(`\n${encodeRecord(prepare(adapted.observation, isOver).event)}`);
  for (;;) {
    const outcome = append(file, line);
    if (outcome !== 'aside') return outcome;
  }
}

/**
 * `aside`: a daemon that starts has set the spool aside between its opening and the write, and may have read it to its end already. In the
 * new one the line is safe; twice is harmless.
 */
function append(file: string, bytes: Buffer): Exclude<Spooled, 'ignored'> | 'aside' {
  checkOwnFile(file);
  // One write in append mode: lines of hooks that spool at the same time stand one behind the other.
  const fd = openToAdd(file);
  try {
    const { size } = fs.fstatSync(fd);
    if (size + bytes.length > spoolBytesMax) {
      addTo(droppedCount(file), '.');
      return 'dropped';
    }
    // A disk that fills up takes a part, and refuses the rest.
    for (let done = 0; done < bytes.length; ) done += fs.writeSync(fd, bytes, done);
    return isFileAt(fd, file) ? 'spooled' : 'aside';
  } finally {
    fs.closeSync(fd);
  }
}

/** Holds a byte for each event that did not fit. */
export function droppedCount(file: string): string {
  return path.join(path.dirname(file), 'spool.dropped');
}
