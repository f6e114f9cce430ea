import { errorCode, inSentences, messageOf } from './failure.ts';

/** What a person can do when the system or SQLite refuses to store or open something; null for any other error (errno(3), https://www.sqlite.org/rescode.html). */
export function systemRepair(thrown: unknown): string | null {
  const code = errorCode(thrown) ?? '';
  const words = messageOf(thrown);
  const found = repairs.find(([codes, said]) => {
    const isCode = codes.split(' ').some((one) => one === code || new RegExp(`\\b${one}\\b`).test(words));
    return (codes !== '' && isCode) || said?.test(words) === true;
  });
  return found?.[2] ?? null;
}

/** The words of an error, with the repair if one is known. */
export function withRepair(thrown: unknown): string {
  return inSentences(messageOf(thrown), systemRepair(thrown) ?? undefined);
}

/** Codes, as an error's own or in its words; other words; the repair. */
const repairs: readonly (readonly [codes: string, said: RegExp | null, repair: string])[] = [
  ['ENOSPC EDQUOT', /database or disk is full/, 'make room on the disk (df -h, df -i), then run it again'],
  [
    'EROFS',
    /attempt to write a readonly database/,
    'the disk can only be read: have it mounted to be written, then run it again',
  ],
  [
    'EACCES EPERM',
    null,
    'look at its owner and mode, and those of the folders above it (ls -ld), or set HOME to a folder that you may write to',
  ],
  [
    'ENOTDIR ELOOP',
    null,
    'move away the file that stands where a folder belongs, or set HOME to a folder that you may write to',
  ],
  ['EISDIR', null, 'move away the folder that stands where a file belongs, then run it again'],
  ['ENAMETOOLONG', null, 'set HOME to a folder with a shorter path'],
  ['EMFILE ENFILE', null, 'raise the limit of open files (ulimit -n), then run it again'],
  [
    '',
    // A process is refused as `spawn node EAGAIN`, a thread as EAGAIN alone; a read that would block is another matter.
    /^(?:Worker initialization failure: )?EAGAIN$|^spawn.* EAGAIN$/,
    'raise the limit of processes and threads (ulimit -u) or end some, then run it again',
  ],
  ['ENOMEM', null, 'the system is short of memory: end other programs, then run it again'],
  ['EIO', /disk I\/O error/, 'the disk fails: look at the log of the system (dmesg), then run it again'],
  [
    '',
    /unable to open database file/,
    'look at the rights of its folder, the room on the disk (df -h, df -i) and the limit of open files (ulimit -n)',
  ],
];
