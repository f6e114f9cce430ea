import fs from 'node:fs';
import { removeIfThere, withDescriptor } from '#core/platform';

/** The files of a copy of a database. */
const parts = ['', '-wal', '-shm'] as const;

/** The header bytes of every database of memd (https://www.sqlite.org/fileformat2.html#the_database_header). */
const fixed: readonly (readonly [at: number, bytes: Buffer])[] = [
  [0, Buffer.from('SQLite format 3\0')],
  // Pages of 4,096 bytes, WAL mode, nothing reserved, payload fractions.
  [16, Buffer.from([0x10, 0, 2, 2, 0, 64, 32, 32])],
  // The schema format; below, UTF-8.
  [44, Buffer.from([0, 0, 0, 4])],
  [56, Buffer.from([0, 0, 0, 1])],
];
/** The change counter, and the one for which the page count is valid: if they differ, SQLite uses the file size. */
const [changeAt, countedAt] = [24, 92];

/** Copies a database and restores the header of the copy. */
export function copyWithHeader(from: string, to: string): void {
  removeCopy(to);
  for (const part of ['', '-wal'])
    if (fs.existsSync(`${from}${part}`)) copy(`${from}${part}`, `${to}${part}`);
  withDescriptor(fs.openSync(to, 'r+'), (fd) => {
    for (const [at, bytes] of fixed) fs.writeSync(fd, bytes, 0, bytes.length, at);
    const change = Buffer.alloc(4);
    fs.readSync(fd, change, 0, 4, changeAt);
    change[0] = (change[0] ?? 0) ^ 1;
    fs.writeSync(fd, change, 0, 4, countedAt);
  });
}

export function removeCopy(to: string): void {
  for (const part of parts) removeIfThere(`${to}${part}`);
}

function copy(from: string, to: string): void {
  fs.closeSync(fs.openSync(to, 'wx', 0o600));
  fs.copyFileSync(from, to);
  fs.chmodSync(to, 0o600);
}
