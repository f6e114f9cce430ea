import fs from 'node:fs';
import { archivePartBytes } from '#core/limits';
import { errorCode, Failure, messageOf } from '#core/platform';
import {
  type ArchiveRow,
  type ImportedRows,
  type ImportOptions,
  importRows,
  isAhead,
  type Store,
} from '#memory/store';
import { clean } from './clean.ts';
import { type Head, headOf, rowOf } from './line.ts';
import { linesFrom } from './lines.ts';

const badLinesShownMax = 20;

/** Where the next part of a file begins. */
export interface ImportPosition {
  readonly offset: number;
  /** Lines before it. */
  readonly lines: number;
  readonly head: Head;
  /** Sessions with an event that was left out so far. */
  readonly withheld: readonly string[];
  /** Device, inode, size and time of the file: they show that it was changed. */
  readonly state: string;
}

export interface BadLine {
  /** From 1. */
  readonly line: number;
  readonly reason: string;
}

/** The result of an import. */
export interface Imported extends ImportedRows {
  /** The other author whose memory the file is; null if it is the user's own. */
  readonly author: string | null;
  /** Rows in which the redaction rules found a secret. */
  readonly redacted: number;
  /** Lines that were skipped. */
  readonly bad: number;
  /** The first `badLinesShownMax` of them. */
  readonly badLines: readonly BadLine[];
}

/** One part of an import, in its own transaction. */
export interface Part {
  readonly took: Imported;
  /** Null at the end. */
  readonly next: ImportPosition | null;
  readonly bytesTotal: number;
}

export interface ImportStep {
  readonly file: string;
  /** Null at the beginning. */
  readonly place: ImportPosition | null;
  /** Also imports what was forgotten or pruned here, at any time and from any kind of file. */
  readonly forgotten: boolean;
  /** The user of this memory; missing or empty if unknown. */
  readonly author?: string;
  /** The user says that the file is of the user's own memory, whatever author it names. */
  readonly mine?: boolean;
}

/** Imports a file part by part, so that other writers can use the database between two parts. */
export async function importAll(
  request: Omit<ImportStep, 'place'>,
  step: (request: ImportStep) => Part | Promise<Part>,
  progress: (bytes: number, bytesTotal: number) => void,
): Promise<Imported> {
  let sum: Imported | null = null;
  let place: ImportPosition | null = null;
  do {
    const { took, next, bytesTotal }: Part = await step({ ...request, place });
    sum = sum === null ? took : sumOf(sum, took);
    progress(next?.offset ?? bytesTotal, bytesTotal);
    place = next;
  } while (place !== null);
  return sum;
}

/**
 * Imports about `archivePartBytes` of a file. Each line is checked and redacted.
 * @throws Failure `no_file`, `not_an_export`, `newer_format`, `changed_file`
 */
export function importPart({ connection }: Pick<Store, 'connection'>, step: ImportStep): Part {
  const { file, place } = step;
  const { fd, bytesTotal, state } = openFile(file);
  try {
    if (place !== null && place.state !== state) throw changed(file);
    const { rows, badLines, redacted, offset, lines, isLast, head } = read(fd, step);
    const withheld = new Set(place?.withheld);
    const originOf = originsOf(head, step);
    const options = { withheld, originOf, lifts: liftsOf(head, step.forgotten) };
    const taken = importRows(connection, rows, options);
    const author = originOf({})?.isForeign === true ? head.author : null;
    const bad = { bad: badLines.length, badLines: badLines.slice(0, badLinesShownMax) };
    const took = { ...taken, author, redacted, ...bad };
    const next = isLast ? null : { offset, lines, head, withheld: [...withheld], state };
    return { took, next, bytesTotal };
  } finally {
    fs.closeSync(fd);
  }
}

/** The rows of one part, and where the next one begins. */
function read(fd: number, step: ImportStep) {
  const { file, place } = step;
  const rows: ArchiveRow[] = [];
  const badLines: BadLine[] = [];
  let { offset, lines } = place ?? { offset: 0, lines: 0 };
  let head = place?.head ?? null;
  let redacted = 0;
  let isLast = true;
  const start = offset;
  for (const line of linesFrom(fd, offset)) {
    lines += 1;
    offset = line.end;
    const isHeader = lines === 1;
    if (isHeader) head = headOf('text' in line ? line.text : '', file);
    const found = isHeader ? null : 'text' in line ? readRow(line.text, originsOf(head, step)) : line;
    if (found !== null && 'row' in found) {
      rows.push(found.row);
      if (found.redactions > 0) redacted += 1;
    } else if (found !== null) {
      badLines.push({ line: lines, reason: found.reason });
    }
    if (isEnough(offset - start, rows.at(-1))) {
      isLast = false;
      break;
    }
  }
  return { rows, badLines, redacted, offset, lines, isLast, head: head ?? headOf('', file) };
}

/** Who recorded the rows of a file: whom a row names, else whom the header names, if this memory's user has a name to compare. */
function originsOf(
  head: Head | null,
  { author: self = '', mine = false }: ImportStep,
): ImportOptions['originOf'] {
  return ({ author, device = '' }) => {
    if (author !== undefined)
      return author === self
        ? { device: device || null, author, isForeign: false }
        : { device, author, isForeign: true };
    if (mine || head?.author === self) return { device: null, author: self, isForeign: false };
    if (self === '' || head === null || head.author === null) return null;
    return { device: head.device ?? '', author: head.author, isForeign: true };
  };
}

/**
 * A restore file restores what was pruned into it. What the user has made memd forget since stays forgotten: it was removed
 * after the file was written.
 */
function liftsOf({ kind, ts }: Head, forgotten: boolean): string {
  if (forgotten) return 'always';
  return kind === 'restore' ? (ts ?? 'never') : 'never';
}

/** An event and the summary that follows it stay in one transaction. */
function isEnough(bytes: number, last: ArchiveRow | undefined): boolean {
  if (bytes < archivePartBytes) return false;
  return bytes >= 4 * archivePartBytes || last?.type !== 'event' || last.status !== 'summarized';
}

function readRow(text: string, originOf: ImportOptions['originOf']): ReturnType<typeof clean> | null {
  if (text.trim() === '') return null;
  const read = rowOf(text);
  if (!('row' in read)) return read;
  const { row } = read;
  // It would be the latest for good.
  const isFuture = isAhead(Date.parse(row.ts)) && originOf('author' in row ? row : {})?.isForeign === true;
  return isFuture ? { reason: 'a time in the future' } : clean(row);
}

function openFile(file: string): { fd: number; bytesTotal: number; state: string } {
  let fd: number | null = null;
  try {
    // O_NONBLOCK: opening a pipe would wait for its writer.
    fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) throw noFile(`${file} is not a file`);
    return { fd, bytesTotal: stat.size, state: `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeMs}` };
  } catch (error) {
    if (fd !== null) fs.closeSync(fd);
    if (error instanceof Failure) throw error;
    const what =
      errorCode(error) === 'ENOENT'
        ? `${file} does not exist`
        : `${file} cannot be read: ${messageOf(error)}`;
    throw noFile(what, error);
  }
}

function noFile(what: string, cause?: unknown): Failure {
  return new Failure('no_file', what, { safe: 'nothing was imported', cause });
}

function changed(file: string): Failure {
  return new Failure('changed_file', `${file} was changed during the import`, {
    safe: 'what was imported so far stays',
    repair: 'run the import again when the file is complete',
  });
}

function sumOf({ badLines, author, ...counts }: Imported, more: Imported): Imported {
  const names = Object.keys(counts) as (keyof typeof counts)[];
  const sums = Object.fromEntries(names.map((name) => [name, counts[name] + more[name]]));
  return {
    ...(sums as typeof counts),
    author,
    badLines: [...badLines, ...more.badLines].slice(0, badLinesShownMax),
  };
}
