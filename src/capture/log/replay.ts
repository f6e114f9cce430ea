import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';
import type { ToolEvent } from '../../core/event/index.ts';
import { commitBatchMax } from '../../core/limits.ts';
import { checkOwnFile, errorCode, faultPoint } from '../../core/platform/index.ts';
import { Aside } from './aside.ts';
import { linesOf } from './lines.ts';
import { decodeRecord } from './record.ts';

/** Where the events of a log go; a batch that is given back is durable. */
export type Commit = (events: readonly ToolEvent[]) => Promise<void>;

export interface Replayed {
  readonly events: number;
  readonly damaged: number;
}

/**
 * Commits every whole line that a former daemon left in the log and tells of each that is damaged, in the
 * words of the specification. Damaged lines are set aside beside the log, never dropped. Committing twice is
 * harmless: events carry their identity.
 * @throws Failure `unsafe_file`: a link could lead to any file, which would be emptied next
 */
export async function replayLog(
  file: string,
  commit: Commit,
  report: (message: string) => void,
): Promise<Replayed> {
  checkOwnFile(file);
  let fd: number;
  try {
    fd = fs.openSync(file, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { events: 0, damaged: 0 };
    throw error;
  }
  const aside = new Aside(path.join(path.dirname(file), 'wal-damaged.ndjson'));
  try {
    const replayed = await replayFrom(fd, file, aside, commit, report);
    // The log is emptied next: what was set aside must be on the disk by then.
    aside.sync();
    return replayed;
  } finally {
    aside.close();
    fs.closeSync(fd);
  }
}

/** Nothing, or what was erased in place. */
function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20);
}

/** A line without the hole before it that a file has which was cut while a daemon wrote to it. */
function withoutHole(bytes: Buffer): Buffer {
  return bytes.subarray(
    Math.max(
      0,
      bytes.findIndex((byte) => byte !== 0),
    ),
  );
}

async function replayFrom(
  fd: number,
  file: string,
  aside: Aside,
  commit: Commit,
  report: (message: string) => void,
): Promise<Replayed> {
  let events = 0;
  let damaged = 0;
  let batch: ToolEvent[] = [];
  for (const line of linesOf(fd)) {
    const bytes = withoutHole(line.bytes);
    if (isBlank(bytes)) continue;
    const decoded = isUtf8(bytes)
      ? decodeRecord(bytes.toString('utf8'))
      : { error: 'SyntaxError: the line is not UTF-8' };
    if ('error' in decoded) {
      damaged += 1;
      aside.add(bytes);
      report(
        `WAL replay failed: ${decoded.error} (line ${line.number} of ${file}; set aside in ${aside.file})`,
      );
      continue;
    }
    events += 1;
    batch.push(decoded.event);
    if (batch.length < commitBatchMax) continue;
    faultPoint('replay.commit');
    await commit(batch);
    batch = [];
  }
  faultPoint('replay.commit');
  if (batch.length > 0) await commit(batch);
  faultPoint('replay.commit.after');
  return { events, damaged };
}
