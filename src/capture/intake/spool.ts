import fs from 'node:fs';
import path from 'node:path';
import { adapt, type Context } from '#capture/clients';
import { encodeRecord } from '#capture/log';
import type { Json } from '#core/event';
import { spoolBytesMax } from '#core/limits';
import { addTo, checkOwnFile, isFileAt, openToAdd, withDescriptor } from '#core/platform';
import { isPrivate, prepare } from './prepare.ts';

export type Spooled = 'spooled' | 'dropped' | 'ignored';

/**
 * Appends a call to the workspace's spool when no daemon takes it: redacted, in the log's format, private. What exceeds
 * `spoolBytesMax` is dropped and counted by a byte in `spool.dropped`, as is what cannot be written. The next daemon imports both.
 * @throws Failure `unsafe_file` for a link, or a file of another user
 */
export function spool(
  file: string,
  payload: Json,
  context: Context & { readonly messages?: boolean },
): Spooled {
  const adapted = adapt(payload, context);
  if (adapted.kind === 'ignored') return 'ignored';
  if (adapted.observation.message !== undefined && context.messages === false) return 'ignored';
  const { event } = prepare(adapted.observation);
  if (isPrivate(event)) return 'ignored';
  // A newline first: a killed hook may have left a partial line.
  const line = Buffer.from(`\n${encodeRecord(event)}`);
  for (;;) {
    const outcome = counted(file, () => append(file, line));
    if (outcome !== 'aside') return outcome;
  }
}

/** A full disk may still have room for the byte that counts what is lost. */
function counted<Outcome>(file: string, write: () => Outcome): Outcome {
  try {
    return write();
  } catch (error) {
    try {
      addTo(droppedCount(file), '.');
    } catch {
      // The hook's own message is left.
    }
    throw error;
  }
}

/** `aside`: a starting daemon renamed the spool before the write, and may have missed the line. Twice is harmless. */
function append(file: string, bytes: Buffer): Exclude<Spooled, 'ignored'> | 'aside' {
  checkOwnFile(file);
  // One write in append mode: lines of concurrent hooks do not mix.
  return withDescriptor(openToAdd(file), (fd) => {
    const { size } = fs.fstatSync(fd);
    if (size + bytes.length > spoolBytesMax) {
      addTo(droppedCount(file), '.');
      return 'dropped';
    }
    // A full disk may take only a part.
    for (let done = 0; done < bytes.length; ) done += fs.writeSync(fd, bytes, done);
    return isFileAt(fd, file) ? 'spooled' : 'aside';
  });
}

/** Holds a byte for each event that did not fit. */
export function droppedCount(file: string): string {
  return path.join(path.dirname(file), 'spool.dropped');
}
