import fs from 'node:fs';
import path from 'node:path';
import { isObject, type Json, own } from '../event/index.ts';
import { restoreFileDaysMax } from '../limits.ts';
import { removeIfThere } from '../platform/index.ts';
import type { Trace } from '../store/index.ts';
import { linesFrom } from './lines.ts';
import { writeLines } from './whole-file.ts';

/** A name for a restore file that is free: `restore-20260131T235959.123Z.ndjson`. */
export function newRestoreFile(folder: string, nowMs: number): string {
  for (let ms = nowMs; ; ms += 1) {
    const time = new Date(ms).toISOString().replaceAll(/[-:]/g, '');
    const file = path.join(folder, `restore-${time}.ndjson`);
    if (!fs.existsSync(file)) return file;
  }
}

/** Removes the restore files that are older than `restoreFileDaysMax`, by the time in their names. Answers how many. */
export function removeOldRestoreFiles(folder: string, nowMs: number): number {
  const old = restoreFiles(folder).filter((file) => nowMs - timeOf(file) > restoreFileDaysMax * 86_400_000);
  for (const file of old) removeIfThere(file);
  return old.length;
}

/** Writes the restore files that hold an event anew without it. */
export async function eraseFromRestoreFiles(folder: string, trace: Trace): Promise<void> {
  for (const file of restoreFiles(folder)) {
    const fd = fs.openSync(file, 'r');
    try {
      if (holds(fd, trace)) await writeLines(file, linesWithout(fd, trace));
    } finally {
      fs.closeSync(fd);
    }
  }
}

function restoreFiles(folder: string): string[] {
  return fs
    .readdirSync(folder)
    .filter((name) => /^restore-.*\.ndjson$/.test(name))
    .sort()
    .map((name) => path.join(folder, name));
}

/** NaN for a name that this program has not given: such a file is left to who gave it. */
function timeOf(file: string): number {
  const [, year, month, day, hour, minute, rest] =
    /^restore-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3}Z)\.ndjson$/.exec(path.basename(file)) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${rest}`);
}

function holds(fd: number, trace: Trace): boolean {
  for (const line of linesFrom(fd, 0)) if (!('text' in line) || isAbout(line.text, trace)) return true;
  return false;
}

function* linesWithout(fd: number, trace: Trace): Generator<string> {
  // What cannot be read cannot be looked through, and was written by nobody who knows the format.
  for (const line of linesFrom(fd, 0)) if ('text' in line && !isAbout(line.text, trace)) yield line.text;
}

function isAbout(line: string, { eventId }: Trace): boolean {
  if (!line.includes(eventId)) return false;
  let value: Json;
  try {
    value = JSON.parse(line);
  } catch {
    // It names the event, and nobody can tell what else it says.
    return true;
  }
  return (
    isObject(value) && ['id', 'eventId', 'from', 'to', 'lastEvent'].some((key) => own(value, key) === eventId)
  );
}
