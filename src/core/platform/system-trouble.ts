import { errorCode, inSentences, messageOf } from './failure.ts';

/** What a person can do when the system or SQLite refuses to store or open something; null for any other error (errno(3), https://www.sqlite.org/rescode.html). */
export function systemRepair(thrown: unknown): string | null {
  const code = errorCode(thrown) ?? '';
  const words = messageOf(thrown);
  return repairs.find(({ codes, said }) => codes.includes(code) || said.test(words))?.repair ?? null;
}

/** The words of an error, with the repair if one is known. */
export function withRepair(thrown: unknown): string {
  return inSentences(messageOf(thrown), systemRepair(thrown) ?? undefined);
}

const repairs: readonly {
  readonly codes: readonly string[];
  readonly said: RegExp;
  readonly repair: string;
}[] = [
  {
    codes: ['ENOSPC', 'EDQUOT'],
    said: /database or disk is full|\bENOSPC\b|\bEDQUOT\b/,
    repair: 'make room on the disk (df -h, df -i), then run it again',
  },
  {
    codes: ['EROFS'],
    said: /attempt to write a readonly database|\bEROFS\b/,
    repair: 'the disk can only be read: have it mounted to be written, then run it again',
  },
  {
    codes: ['EACCES', 'EPERM'],
    said: /\bEACCES\b|\bEPERM\b/,
    repair:
      'look at its owner and mode, and those of the folders above it (ls -ld), or set HOME to a folder that you may write to',
  },
  {
    codes: ['ENOTDIR', 'ELOOP'],
    said: /\bENOTDIR\b|\bELOOP\b/,
    repair:
      'move away the file that stands where a folder belongs, or set HOME to a folder that you may write to',
  },
  {
    codes: ['EISDIR'],
    said: /\bEISDIR\b/,
    repair: 'move away the folder that stands where a file belongs, then run it again',
  },
  {
    codes: ['ENAMETOOLONG'],
    said: /\bENAMETOOLONG\b/,
    repair: 'set HOME to a folder with a shorter path',
  },
  {
    codes: ['EMFILE', 'ENFILE'],
    said: /\bEMFILE\b|\bENFILE\b/,
    repair: 'raise the limit of open files (ulimit -n), then run it again',
  },
  {
    codes: [],
    // A process is refused as `spawn node EAGAIN`, a thread as EAGAIN alone; a read that would block is another matter.
    said: /^(?:Worker initialization failure: )?EAGAIN$|^spawn.* EAGAIN$/,
    repair: 'raise the limit of processes and threads (ulimit -u) or end some, then run it again',
  },
  {
    codes: ['ENOMEM'],
    said: /\bENOMEM\b/,
    repair: 'the system is short of memory: end other programs, then run it again',
  },
  {
    codes: ['EIO'],
    said: /disk I\/O error|\bEIO\b/,
    repair: 'the disk fails: look at the log of the system (dmesg), then run it again',
  },
  {
    codes: [],
    said: /unable to open database file/,
    repair:
      'look at the rights of its folder, the room on the disk (df -h, df -i) and the limit of open files (ulimit -n)',
  },
];
