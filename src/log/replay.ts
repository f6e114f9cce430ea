import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';
import type { ToolEvent } from '../event/index.ts';
import { commitBatchMax } from '../limits.ts';
import { errorCode } from '../platform/index.ts';
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
 */
export async function replayLog(
  file: string,
  commit: Commit,
  report: (message: string) => void,
): Promise<Replayed> {
  let fd: number;
  try {
    fd = fs.openSync(file, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { events: 0, damaged: 0 };
    throw error;
  }
  try {
    return await replayFrom(fd, file, commit, report);
  } finally {
    fs.closeSync(fd);
  }
}

async function replayFrom(
  fd: number,
  file: string,
  commit: Commit,
  report: (message: string) => void,
): Promise<Replayed> {
  let events = 0;
  let damaged = 0;
  let batch: ToolEvent[] = [];
  const aside = path.join(path.dirname(file), 'wal-damaged.ndjson');
  for (const line of linesOf(fd)) {
    if (line.bytes.length === 0) continue;
    const decoded = isUtf8(line.bytes)
      ? decodeRecord(line.bytes.toString('utf8'))
      : { error: 'SyntaxError: the line is not UTF-8' };
    if ('error' in decoded) {
      damaged += 1;
      const kept = Buffer.concat([line.bytes, Buffer.from('\n')]);
      fs.writeFileSync(aside, kept, { flag: 'a', mode: 0o600, flush: true });
      report(`WAL replay failed: ${decoded.error} (line ${line.number} of ${file}; set aside in ${aside})`);
      continue;
    }
    events += 1;
    batch.push(decoded.event);
    if (batch.length < commitBatchMax) continue;
    await commit(batch);
    batch = [];
  }
  if (batch.length > 0) await commit(batch);
  return { events, damaged };
}
