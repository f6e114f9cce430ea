import fs from 'node:fs';
import { stripVTControlCharacters, styleText } from 'node:util';
import { bestEffort, errorCode, Failure, messageOf } from '#core/platform';
import { fitted, inLine, printable } from './words.ts';

type Style = Parameters<typeof styleText>[0];

/** The output of a command: results on stdout, everything else on stderr, colour only on a terminal. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether stdout is a terminal. */
  readonly isTerminal: boolean;
  /** Whether stderr is a terminal. */
  readonly showsProgress: boolean;
  /** The width for wrapped text. */
  readonly columns: number;
  /** On a terminal wrapped to its width, except with `--json`. */
  out(text: string): void;
  /** The same with its lines as they are: code, a diff, one JSON object. */
  raw(text: string): void;
  /** Removes control characters: an error may quote names and texts of others. */
  note(text: string): void;
  /** Replaces the line that was shown before; an empty text removes it. Only on a terminal. */
  progress(text: string): void;
  style(style: Style, text: string): string;
}

/** What replaces the output where nothing is printed. */
export const silent = { out: () => {}, raw: () => {} };

export function systemIo(): Io {
  const colours = process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  // `mem recent | head` is not a failure.
  process.stdout.on('error', (error) => {
    if (errorCode(error) === 'EPIPE') process.exit(0);
    putOnStderr(`Cannot write to standard output: ${messageOf(error)}`);
    process.exit(1);
  });
  const showsProgress = process.stderr.isTTY === true;
  const stderr = { isTerminal: showsProgress, columns: process.stderr.columns || 80 };
  const isTerminal = process.stdout.isTTY === true;
  const columns = Math.min(process.stdout.columns || 100, 120);
  const isWrapped = isTerminal && !process.argv.includes('--json');
  const raw = (text: string): void => void process.stdout.write(`${text}\n`);
  return {
    env: process.env,
    get cwd() {
      return currentFolder();
    },
    isTerminal,
    showsProgress,
    columns,
    out: (text) => raw(fitted(text, { isTerminal: isWrapped, columns })),
    raw,
    note: (text) => void process.stderr.write(`${fitted(printable(text), stderr)}\n`),
    progress: (text) => {
      // A longer line would wrap, and the next one would not replace it.
      if (showsProgress) process.stderr.write(`\r\u001b[K${printable(text).slice(0, stderr.columns - 1)}`);
    },
    style: (style, text) => (colours ? styleText(style, text) : text),
  };
}

/** A fact of a heading; null is left out. */
export type Fact = readonly [text: string, style: Style] | null;

/** Who recorded it, if that was another author. */
export function fromFact({ author }: { readonly author?: string | undefined }): Fact {
  return author === undefined ? null : [inLine(`from ${author}`), 'yellow'];
}

/** The same at the end of a line. */
export function fromWords(row: Parameters<typeof fromFact>[0], io: Io): string {
  const fact = fromFact(row);
  return fact === null ? '' : io.style(fact[1], joint + fact[0]);
}

/** The facts after `lead`, joined by ` · `; on a terminal, what does not fit begins a further line. */
export function headingOf(lead: string, facts: readonly Fact[], io: Io): string {
  let heading = lead;
  let column = stripVTControlCharacters(lead).length;
  for (const [at, [text, style]] of facts.filter((fact) => fact !== null).entries()) {
    const fits = !io.isTerminal || column + joint.length + text.length <= io.columns;
    if (at > 0 && !fits) column = 0;
    const before = at === 0 ? '' : fits ? joint : further;
    heading += `${at > 0 && !fits ? '\n' : ''}${io.style('dim', before)}${io.style(style, text)}`;
    column += before.length + text.length;
  }
  return heading;
}

const joint = ' · ';
const further = '    ';

/** Synchronous, since the process ends after it. */
function putOnStderr(text: string): void {
  // Nothing else can be done.
  bestEffort(() => fs.writeSync(2, `${text}\n`));
}

/** Read only on demand: many commands work in a folder that was removed. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw new Failure('no_folder', 'the current folder was removed', {
      repair: 'change to an existing folder',
    });
  }
}
