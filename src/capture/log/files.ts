import fs from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import {
  checkPrivate,
  closeToOthers,
  type DurableFile,
  lstatIfThere,
  openDurable,
  renameDurable,
} from '#core/platform';

/** Writes a line to the daemon's log. */
export type Report = (message: string, fields: Readonly<Record<string, string | number>>) => void;

/** Writes all of `bytes` from the file's byte `position` on. */
export async function writeFully(file: DurableFile, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** A new log before it has its name. */
export function copyOf(log: string): string {
  return `${log}.next`;
}

/** Replaces the log by a synced file with these bytes; durable once the folder is synced. */
export async function replaceWith(log: string, bytes: Buffer): Promise<DurableFile> {
  const copy = copyOf(log);
  let handle: DurableFile | null = null;
  try {
    handle = await openDurable(copy, 'copy');
    await writeFully(handle, bytes, 0);
    await handle.datasync();
    await renameDurable(copy, log, 'log');
    return handle;
  } catch (error) {
    // A partial copy takes space and may keep forgotten text.
    await handle?.close();
    await rm(copy, { force: true }).catch(() => {
      // The next start removes it.
    });
    throw error;
  }
}

/**
 * Renames a log that another program put at our path, so that the next start imports it (`replacedLogs`). Null when it is
 * missing or empty. @throws Failure `unsafe_file` for a link, another user's file, or a non-file, which stays untouched
 */
export function setAside(log: string): string | null {
  closeToOthers(log);
  const stat = lstatIfThere(log);
  if (stat === null) return null;
  checkPrivate(log, stat, 'file');
  if (stat.size === 0) return null;
  const aside = freeAside(log);
  fs.renameSync(log, aside);
  return aside;
}

/** A free name for lines that the next start imports. */
export function freeAside(log: string): string {
  let time = Date.now();
  while (lstatIfThere(asideOf(log, time)) !== null) time += 1;
  return asideOf(log, time);
}

/** The logs that were set aside, oldest first. */
export function replacedLogs(log: string): string[] {
  const prefix = `${path.basename(log)}.replaced-`;
  return fs
    .readdirSync(path.dirname(log))
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .sort()
    .map((name) => path.join(path.dirname(log), name));
}

function asideOf(log: string, time: number): string {
  return `${log}.replaced-${time}`;
}
