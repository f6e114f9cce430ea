import fs from 'node:fs';
import { styleText } from 'node:util';
import { errorCode, Failure, messageOf } from '../../core/platform/index.ts';
import { printable } from './words.ts';

type Style = Parameters<typeof styleText>[0];

/** How a command speaks: results on stdout, everything else on stderr, colour only where a person looks. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether stdout, and stderr, is a terminal. */
  readonly isTerminal: boolean;
  readonly showsProgress: boolean;
  /** Columns to lay text out in. */
  readonly columns: number;
  out(text: string): void;
  /** What moves a terminal's cursor is taken out: an error quotes names and texts that are somebody's. */
  note(text: string): void;
  /** Replaces the line that was shown before; an empty text takes it away. Only on a terminal. */
  progress(text: string): void;
  style(style: Style, text: string): string;
}

export function systemIo(): Io {
  const colours = process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  // `mem recent | head`: a reader that has seen enough is no failure.
  process.stdout.on('error', (error) => {
    if (errorCode(error) === 'EPIPE') process.exit(0);
    putOnStderr(`standard output cannot be written: ${messageOf(error)}`);
    process.exit(1);
  });
  const showsProgress = process.stderr.isTTY === true;
  return {
    env: process.env,
    get cwd() {
      return currentFolder();
    },
    isTerminal: process.stdout.isTTY === true,
    showsProgress,
    columns: Math.min(process.stdout.columns ?? 100, 120),
    out: (text) => void process.stdout.write(`${text}\n`),
    note: (text) => void process.stderr.write(`${printable(text)}\n`),
    progress: (text) => {
      if (showsProgress) process.stderr.write(`\r\u001b[K${text}`);
    },
    style: (style, text) => (colours ? styleText(style, text) : text),
  };
}

/** At once: nothing is written any more when the process has ended. */
function putOnStderr(text: string): void {
  try {
    fs.writeSync(2, `${text}\n`);
  } catch {
    // Nobody listens there either.
  }
}

/** Told when it is needed: much can be asked in a folder that is gone. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw new Failure('no_folder', 'the current folder is gone', { repair: 'go to one that is there' });
  }
}
