import fs from 'node:fs';
import { type Commit, replacedLogs, replayLog } from '#capture/log';
import { checkOwnFile, lstatIfThere, removeIfThere } from '#core/platform';
import { droppedCount } from './spool.ts';

export interface DrainedSpool {
  /** Events that hooks had spooled. */
  readonly events: number;
  /** Events that are lost because the spool was full. */
  readonly dropped: number;
}

/** Commits and removes the logs that another program put at our path. Returns the number of events. */
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
 * Commits what hooks have spooled. The spool is renamed first, so that hooks start a new one. A spool that a killed daemon
 * had renamed is imported too; twice is harmless.
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
