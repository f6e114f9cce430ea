import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { pollIntervalMs } from '#core/limits';
import { openIfThere, withDescriptor } from '#core/platform';
import { linesOf } from './lines.ts';

const logGoneTimeoutMs = 15_000;

/**
 * Overwrites the matching lines of `file` with blanks, in place, and syncs. Nothing moves, so other processes may append to,
 * rename or remove the file meanwhile; a line being appended may be missed. Returns the number of lines.
 */
export function eraseLines(file: string, matches: (line: string) => boolean): number {
  const fd = openIfThere(file, O_RDWR | O_NOFOLLOW);
  if (fd === null) return 0;
  return withDescriptor(fd, () => {
    let position = 0;
    let erased = 0;
    for (const { bytes } of linesOf(fd)) {
      if (matches(bytes.toString('utf8'))) {
        fs.writeSync(fd, Buffer.alloc(bytes.length, ' '), 0, bytes.length, position);
        erased += 1;
      }
      position += bytes.length + 1;
    }
    if (erased > 0) fs.fsyncSync(fd);
    return erased;
  });
}

/**
 * True once no line of the log contains `text`; false after `logGoneTimeoutMs`. Committed lines leave an idle log
 * immediately, a busy one within `logFrontMsMax`.
 */
export async function goneFromLog(file: string, text: string): Promise<boolean> {
  const deadline = performance.now() + logGoneTimeoutMs;
  for (let waitMs = pollIntervalMs; contains(file, text); waitMs = Math.min(2 * waitMs, 1_000)) {
    if (performance.now() > deadline) return false;
    await pause(waitMs);
  }
  return true;
}

function contains(file: string, text: string): boolean {
  const fd = openIfThere(file, O_RDONLY | O_NOFOLLOW);
  if (fd === null) return false;
  return withDescriptor(fd, () => {
    for (const { bytes } of linesOf(fd)) if (bytes.includes(text)) return true;
    return false;
  });
}

const { O_NOFOLLOW, O_RDONLY, O_RDWR } = fs.constants;
