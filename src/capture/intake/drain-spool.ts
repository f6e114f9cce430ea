import fs from 'node:fs';
import { checkOwnFile, lstatIfThere, removeIfThere } from '../../core/platform/index.ts';
import { type Commit, replacedLogs, replayLog } from '../log/index.ts';
import { droppedCount } from './spool.ts';

export interface DrainedSpool {
  /** Events that hooks had kept. */
  readonly events: number;
  /** Events that had not fitted into the spool and are lost. */
  readonly dropped: number;
}

/** Commits what stood in the log's place when it was replaced under a daemon, and removes it. Answers how many events. */
export async function drainReplacedLogs(
  log: string,
  commit: Commit,
  report: (message: string) => void,
): Promise<number> {
  let events = 0;
  for (const file of replacedLogs(log)) events += await drainFile(file, commit, report);
  return events;
}

/**
 * Commits what hooks have spooled. The spool is set aside first, so that hooks go on with a new one; one that a killed daemon had
 * set aside is taken in as well, and twice is harmless.
 */
export async function drainSpool(
  file: string,
  commit: Commit,
  report: (message: string) => void,
): Promise<DrainedSpool> {
  const taking = `${file}.taking`;
  let events = 0;
  if (lstatIfThere(taking) !== null) events += await drainFile(taking, commit, report);
  if (lstatIfThere(file) !== null) {
    checkOwnFile(file);
    fs.renameSync(file, taking);
    events += await drainFile(taking, commit, report);
  }
  return { events, dropped: takeCount(droppedCount(file)) };
}

async function drainFile(file: string, commit: Commit, report: (message: string) => void): Promise<number> {
  const { events } = await replayLog(file, commit, report);
  removeIfThere(file);
  return events;
}

function takeCount(file: string): number {
  const dropped = lstatIfThere(file)?.size ?? 0;
  if (dropped > 0) removeIfThere(file);
  return dropped;
}
