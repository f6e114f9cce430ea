import fs from 'node:fs';
import path from 'node:path';
import { Failure, faultPoint, readIfThere, removeIfThere, syncFolder, writeWhole } from '#core/platform';
import { withConnection } from '../connection.ts';
import { removeCopy } from '../schema/header.ts';
import { isReadable } from '../schema/migrate.ts';
import { damageOf, isSoonChecked } from './integrity.ts';
import { nothing, type Salvaged, salvage, sourceCopyOf, storedIn } from './salvage.ts';

/** The repair of a damaged database. */
export interface Repaired extends Salvaged {
  /** The damage in SQLite's words. */
  readonly damage: string;
  /** The new path of the damaged file; its `-wal` and `-shm` are next to it. */
  readonly aside: string;
}

/** The file with the damage that ended a daemon. */
const markOf = (file: string): string => `${file}.damaged`;
/** The new database while it is filled, and when it is complete. */
const fillingOf = (file: string): string => `${file}.salvaging`;
const filledOf = (file: string): string => `${file}.salvaged`;
const parts = ['', '-wal', '-shm'] as const;

/** Makes the next start repair this database without a check. */
export function markDamaged(file: string, damage: string): void {
  writeWhole(markOf(file), damage);
}

/**
 * Repairs a database that is marked as damaged; a suspect or small one is checked first. Only for the holder of the workspace's
 * lock, with no connection open. Null if nothing was wrong.
 */
export function repairIfDamaged(file: string, isSuspect: boolean): Repaired | null {
  for (const part of [...parts, '-journal']) removeIfThere(`${fillingOf(file)}${part}`);
  removeCopy(sourceCopyOf(fillingOf(file)));
  const marked = readIfThere(markOf(file));
  if (fs.existsSync(filledOf(file)))
    return { damage: marked ?? 'unknown', ...countsOf(filledOf(file)), aside: exchange(file) };
  if (!fs.existsSync(file)) return null;
  // The last connection to close removes SQLite's log: a log that is left means that memd was killed.
  const hasLog = (fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const damage = marked ?? (isSuspect || hasLog || isSoonChecked(file) ? damageOf(file) : null);
  return damage === null ? null : repair(file, damage);
}

/**
 * Fills a new database with what can be read, sets the damaged one aside and puts the new one in its place. A kill leaves
 * either the damaged one unchanged, or the complete new one for the next start.
 * @throws Failure `newer_schema`: the memd that wrote it can salvage more
 */
export function repair(file: string, damage: string): Repaired {
  refuseNewer(file);
  fs.closeSync(fs.openSync(fillingOf(file), 'w', 0o600));
  const salvaged = salvage(file, fillingOf(file));
  faultPoint('repair.filled');
  fs.renameSync(fillingOf(file), filledOf(file));
  syncFolder(path.dirname(file));
  return { damage, ...salvaged, aside: exchange(file) };
}

function refuseNewer(file: string): void {
  try {
    withConnection(file, { readOnly: true }, (connection) => isReadable(connection, file));
  } catch (error) {
    // The version cannot be read.
    if (error instanceof Failure) throw error;
  }
}

/** The log of the damaged database moves first: SQLite would apply it to the new one. */
function exchange(file: string): string {
  const filled = filledOf(file);
  // The new file's time, so that an exchange that was interrupted goes on under the same name.
  const time = fs.statSync(filled).mtime.toISOString().replaceAll(/[-:]/g, '');
  const aside = `${file}.corrupt-${time}`;
  for (const part of parts.toReversed()) {
    faultPoint('repair.aside');
    if (fs.existsSync(`${file}${part}`)) fs.renameSync(`${file}${part}`, `${aside}${part}`);
  }
  syncFolder(path.dirname(file));
  faultPoint('repair.exchange');
  removeIfThere(markOf(file));
  fs.renameSync(filled, file);
  syncFolder(path.dirname(file));
  return aside;
}

/** The counts of a new database that a former process has filled; what was unreadable is not known. */
function countsOf(file: string): Salvaged {
  return withConnection(file, { readOnly: true }, (filled) => ({ ...storedIn(filled), ...nothing }));
}
