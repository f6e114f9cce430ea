import fs from 'node:fs';
import path from 'node:path';
import {
  Failure,
  faultPoint,
  readIfThere,
  removeIfThere,
  syncFolder,
  writeWhole,
} from '../../core/platform/index.ts';
import { Connection } from './connection.ts';
import { removeCopy } from './header.ts';
import { damageOf, isSoonChecked } from './integrity.ts';
import { isReadable } from './migrate.ts';
import { number } from './row.ts';
import { type Salvaged, salvage, sourceCopyOf } from './salvage.ts';

/** What was done about a damaged database. */
export interface Repaired extends Salvaged {
  /** What was wrong, in SQLite's words. */
  readonly damage: string;
  /** Where the damaged file lies now; its `-wal` and `-shm` lie beside it. */
  readonly aside: string;
}

/** Beside the database: what was wrong with it when a daemon had to end for it. */
const markOf = (file: string): string => `${file}.damaged`;
/** The new database while it is filled, and when it is whole. */
const fillingOf = (file: string): string => `${file}.salvaging`;
const filledOf = (file: string): string => `${file}.salvaged`;
const parts = ['', '-wal', '-shm'] as const;

/** Makes sure that the next start mends this database, whatever a check says of it. */
export function markDamaged(file: string, damage: string): void {
  writeWhole(markOf(file), damage);
}

/**
 * Mends a database that is known to be damaged; one that is only suspected, or so small that it is soon done, is looked at first.
 * For the holder of the workspace's lock alone, with no connection open. Null when there was nothing to do.
 */
export function repairIfDamaged(file: string, isSuspect: boolean): Repaired | null {
  for (const part of [...parts, '-journal']) removeIfThere(`${fillingOf(file)}${part}`);
  removeCopy(sourceCopyOf(fillingOf(file)));
  const marked = readIfThere(markOf(file));
  if (fs.existsSync(filledOf(file))) {
    return { damage: marked ?? 'not known any more', ...countsOf(filledOf(file)), aside: exchange(file) };
  }
  if (!fs.existsSync(file)) return null;
  // Whoever closes it last takes its log into the file: one that is left tells of a kill as well.
  const isLeft = (fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const damage = marked ?? (isSuspect || isLeft || isSoonChecked(file) ? damageOf(file) : null);
  return damage === null ? null : repair(file, damage);
}

/**
 * Fills a new database with what can be read, then sets the damaged one aside and puts the new one in its place. A
 * kill at any moment leaves either the damaged one as it was, or the whole new one for the next start to go on with.
 * @throws Failure `newer_schema`: the memd that wrote it can save more of it
 */
export function repair(file: string, damage: string): Repaired {
  refuseNewer(file);
  fs.closeSync(fs.openSync(fillingOf(file), 'w', 0o600));
  const salvaged = salvage(file, fillingOf(file));
  faultPoint('mend.filled');
  fs.renameSync(fillingOf(file), filledOf(file));
  syncFolder(path.dirname(file));
  return { damage, ...salvaged, aside: exchange(file) };
}

function refuseNewer(file: string): void {
  let connection: Connection | null = null;
  try {
    connection = new Connection(file, { readOnly: true });
    isReadable(connection, file);
  } catch (error) {
    // One that does not even tell its version may be anybody's.
    if (error instanceof Failure) throw error;
  } finally {
    connection?.close();
  }
}

/** The log of the damaged database goes first: SQLite would take it for the new one's. */
function exchange(file: string): string {
  const filled = filledOf(file);
  // The new file's time, so that an exchange that was interrupted goes on under the same name.
  const time = fs.statSync(filled).mtime.toISOString().replaceAll(/[-:]/g, '');
  const aside = `${file}.corrupt-${time}`;
  for (const part of parts.toReversed()) {
    faultPoint('mend.aside');
    if (fs.existsSync(`${file}${part}`)) fs.renameSync(`${file}${part}`, `${aside}${part}`);
  }
  syncFolder(path.dirname(file));
  faultPoint('mend.exchange');
  removeIfThere(markOf(file));
  fs.renameSync(filled, file);
  syncFolder(path.dirname(file));
  return aside;
}

/** Of a new database that a former process has filled; what it could not read is known no more. */
function countsOf(file: string): Salvaged {
  const connection = new Connection(file, { readOnly: true });
  try {
    const row = connection.get(
      'SELECT (SELECT count(*) FROM events) AS e, (SELECT count(*) FROM summaries) AS s',
    );
    return {
      events: number(row ?? {}, 'e'),
      summaries: number(row ?? {}, 's'),
      unreadable: 0,
      failedReads: 0,
    };
  } finally {
    connection.close();
  }
}
