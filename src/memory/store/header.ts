import fs from 'node:fs';
import { removeIfThere } from '../../core/platform/index.ts';

/** What a copy of a database consists of; its index of the log is made anew. */
const parts = ['', '-wal', '-shm'] as const;

/** The numbers that every database of memd has in its header (https://www.sqlite.org/fileformat2.html#the_database_header). */
const fixed: readonly (readonly [at: number, bytes: Buffer])[] = [
  [0, Buffer.from('SQLite format 3\0')],
  // Pages of 4,096 bytes, written and read through a log, with nothing reserved; then how full a page is made.
  [16, Buffer.from([0x10, 0, 2, 2, 0, 64, 32, 32])],
  // The format of the schema, and the encoding: UTF-8.
  [44, Buffer.from([0, 0, 0, 4])],
  [56, Buffer.from([0, 0, 0, 1])],
];
/** The change for which the header's count of pages holds: with none, SQLite goes by the size of the file. */
const [changeAt, countedAt] = [24, 92];

/** Copies a database, and gives the copy the header that it should have. The original stays as it is. */
export function copyWithHeader(from: string, to: string): void {
  removeCopy(to);
  for (const part of ['', '-wal'])
    if (fs.existsSync(`${from}${part}`)) copy(`${from}${part}`, `${to}${part}`);
  const fd = fs.openSync(to, 'r+');
  try {
    for (const [at, bytes] of fixed) fs.writeSync(fd, bytes, 0, bytes.length, at);
    const change = Buffer.alloc(4);
    fs.readSync(fd, change, 0, 4, changeAt);
    change[0] = (change[0] ?? 0) ^ 1;
    fs.writeSync(fd, change, 0, 4, countedAt);
  } finally {
    fs.closeSync(fd);
  }
}

export function removeCopy(to: string): void {
  for (const part of parts) removeIfThere(`${to}${part}`);
}

function copy(from: string, to: string): void {
  fs.closeSync(fs.openSync(to, 'wx', 0o600));
  fs.copyFileSync(from, to);
  fs.chmodSync(to, 0o600);
}
