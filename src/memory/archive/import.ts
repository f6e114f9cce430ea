import fs from 'node:fs';
import { archivePartBytes } from '../../core/limits.ts';
import { errorCode, Failure, messageOf } from '../../core/platform/index.ts';
import { type ArchiveRow, importRows, type Store, type TakenRows } from '../store/index.ts';
import { resummariseAlone } from '../summarise/index.ts';
import { clean } from './clean.ts';
import { type Head, headOf, rowOf } from './line.ts';
import { linesFrom } from './lines.ts';

const badLinesShownMax = 20;

/** Where the next part of a file begins. */
export interface Place {
  readonly offset: number;
  /** Lines before it. */
  readonly lines: number;
  /** What was forgotten or pruned up to then may come back: an ISO time, `always` or `never`. */
  readonly lifts: string;
  /** Sessions of which an event was left out so far. */
  readonly withheld: readonly string[];
  /** Tells the file from another one, and from itself when it has been written to. */
  readonly state: string;
}

export interface BadLine {
  /** From 1. */
  readonly line: number;
  readonly reason: string;
}

/** What an import did. */
export interface TakenIn extends TakenRows {
  /** Rows in which today's rules found a secret. */
  readonly redacted: number;
  /** Lines that were passed over. */
  readonly bad: number;
  /** The first `badLinesShownMax` of them. */
  readonly badLines: readonly BadLine[];
}

/** One part of an import, a transaction of its own. */
export interface Part {
  readonly took: TakenIn;
  /** Null: that was all. */
  readonly next: Place | null;
  readonly bytesTotal: number;
}

export interface ImportStep {
  readonly file: string;
  /** Null at the beginning. */
  readonly place: Place | null;
  /** Takes back also what was forgotten or pruned, whatever kind of file it is and whenever that was. */
  readonly forgotten: boolean;
}

/** Takes a file in part by part, so that whoever else waits for the database gets his turn between two of them. */
export async function importAll(
  request: Omit<ImportStep, 'place'>,
  step: (request: ImportStep) => Part | Promise<Part>,
  told: (bytes: number, bytesTotal: number) => void,
): Promise<TakenIn> {
  let sum = nothing;
  let place: Place | null = null;
  do {
    const { took, next, bytesTotal }: Part = await step({ ...request, place });
    sum = added(sum, took);
    told(next?.offset ?? bytesTotal, bytesTotal);
    place = next;
  } while (place !== null);
  return sum;
}

/**
 * Takes in some `archivePartBytes` of a file, each line checked and redacted.
 * @throws Failure `no_file`, `not_an_export`, `newer_format`, `changed_file`
 */
export function importPart({ connection }: Pick<Store, 'connection'>, step: ImportStep): Part {
  const { file, place } = step;
  const { fd, bytesTotal, state } = openFile(file);
  try {
    if (place !== null && place.state !== state) throw changed(file);
    const { rows, badLines, redacted, offset, lines, isLast, lifts } = read(fd, step);
    const withheld = new Set(place?.withheld);
    const taken = importRows(connection, rows, { lifts, withheld, resummarise: resummariseAlone });
    const took = { ...taken, redacted, bad: badLines.length, badLines: badLines.slice(0, badLinesShownMax) };
    const next = isLast ? null : { offset, lines, lifts, withheld: [...withheld], state };
    return { took, next, bytesTotal };
  } finally {
    fs.closeSync(fd);
  }
}

/** The rows of one part, and where the next one begins. */
function read(fd: number, { file, place, forgotten }: ImportStep) {
  const rows: ArchiveRow[] = [];
  const badLines: BadLine[] = [];
  let { offset, lines, lifts } = place ?? { offset: 0, lines: 0, lifts: 'never' };
  let redacted = 0;
  let isLast = true;
  const start = offset;
  for (const line of linesFrom(fd, offset)) {
    lines += 1;
    offset = line.end;
    const isHeader = lines === 1;
    if (isHeader) lifts = liftsOf(headOf('text' in line ? line.text : '', file), forgotten);
    const found = isHeader ? null : 'text' in line ? readRow(line.text) : line;
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
  if (lines === 0) headOf('', file);
  return { rows, badLines, redacted, offset, lines, isLast, lifts };
}

/**
 * A restore file brings back what was pruned into it. What its user has made memd forget since was removed later than
 * it was written, and stays away; so says the time, since the list does not tell the two apart.
 */
function liftsOf({ kind, ts }: Head, forgotten: boolean): string {
  if (forgotten) return 'always';
  return kind === 'restore' ? (ts ?? 'never') : 'never';
}

/** An event that has a summary and the summary stay in one transaction where the file has them side by side. */
function isEnough(bytes: number, last: ArchiveRow | undefined): boolean {
  if (bytes < archivePartBytes) return false;
  return bytes >= 4 * archivePartBytes || last?.type !== 'event' || last.status !== 'summarized';
}

function readRow(text: string): ReturnType<typeof clean> | null {
  if (text.trim() === '') return null;
  const read = rowOf(text);
  return 'row' in read ? clean(read.row) : read;
}

function openFile(file: string): { fd: number; bytesTotal: number; state: string } {
  let fd: number | null = null;
  try {
    // To open a pipe would wait for its writer.
    fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) throw noFile(`${file} is not a file`);
    return { fd, bytesTotal: stat.size, state: `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeMs}` };
  } catch (error) {
    if (fd !== null) fs.closeSync(fd);
    if (error instanceof Failure) throw error;
    const what =
      errorCode(error) === 'ENOENT' ? `there is no ${file}` : `${file} cannot be read: ${messageOf(error)}`;
    throw noFile(what, error);
  }
}

function noFile(what: string, cause?: unknown): Failure {
  return new Failure('no_file', what, { safe: 'nothing was taken in', cause });
}

function changed(file: string): Failure {
  return new Failure('changed_file', `${file} was written to while it was taken in`, {
    safe: 'what was taken in so far stays, and is known when it comes again',
    repair: 'run the import again once the file is whole',
  });
}

const nothing: TakenIn = {
  ...{ events: 0, summaries: 0, edges: 0, prompts: 0, digests: 0, noted: 0 },
  ...{ known: 0, stayed: 0, forgotten: 0, loose: 0, redacted: 0, bad: 0, badLines: [] },
};

function added(a: TakenIn, b: TakenIn): TakenIn {
  return {
    events: a.events + b.events,
    summaries: a.summaries + b.summaries,
    edges: a.edges + b.edges,
    prompts: a.prompts + b.prompts,
    digests: a.digests + b.digests,
    noted: a.noted + b.noted,
    known: a.known + b.known,
    stayed: a.stayed + b.stayed,
    forgotten: a.forgotten + b.forgotten,
    loose: a.loose + b.loose,
    redacted: a.redacted + b.redacted,
    bad: a.bad + b.bad,
    badLines: [...a.badLines, ...b.badLines].slice(0, badLinesShownMax),
  };
}
