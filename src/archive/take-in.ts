import fs from 'node:fs';
import { archivePartBytes, badLinesShownMax } from '../limits.ts';
import { errorCode, Failure, messageOf } from '../platform/index.ts';
import { type ArchiveRow, type Store, type TakenRows, takeInRows } from '../store/index.ts';
import { clean } from './clean.ts';
import { kindOf, rowOf } from './line.ts';
import { linesFrom } from './lines.ts';

/** Where the next part of a file begins. */
export interface Place {
  readonly offset: number;
  /** Lines before it. */
  readonly lines: number;
  /** What was forgotten or pruned may come back. */
  readonly lifts: boolean;
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
  /** Takes back also what was forgotten or pruned, whatever kind of file it is. */
  readonly forgotten: boolean;
}

/** Takes a file in part by part, so that whoever else waits for the database gets his turn between two of them. */
export async function takeInAll(
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
 * @throws Failure `no_file`, `not_an_export`, `newer_format`
 */
export function takeInPart(
  { connection }: Pick<Store, 'connection'>,
  { file, place, forgotten }: ImportStep,
): Part {
  const { fd, bytesTotal } = openFile(file);
  try {
    const rows: ArchiveRow[] = [];
    const badLines: BadLine[] = [];
    let { offset, lines, lifts } = place ?? { offset: 0, lines: 0, lifts: forgotten };
    let next: Place | null = null;
    let redacted = 0;
    const start = offset;
    for (const line of linesFrom(fd, offset)) {
      lines += 1;
      offset = line.end;
      const isHeader = lines === 1;
      if (isHeader) lifts ||= kindOf('text' in line ? line.text : '', file) === 'restore';
      const read = isHeader ? null : 'text' in line ? readRow(line.text) : line;
      if (read !== null && 'row' in read) {
        rows.push(read.row);
        if (read.redactions > 0) redacted += 1;
      } else if (read !== null) {
        badLines.push({ line: lines, reason: read.reason });
      }
      if (isEnough(offset - start, rows.at(-1))) {
        next = { offset, lines, lifts };
        break;
      }
    }
    if (lines === 0) kindOf('', file);
    const taken = takeInRows(connection, rows, lifts);
    const took = { ...taken, redacted, bad: badLines.length, badLines: badLines.slice(0, badLinesShownMax) };
    return { took, next, bytesTotal };
  } finally {
    fs.closeSync(fd);
  }
}

/** An event that has a summary and the summary stay in one transaction where the file has them side by side. */
function isEnough(bytes: number, last: ArchiveRow | undefined): boolean {
  if (bytes < archivePartBytes) return false;
  return bytes >= 4 * archivePartBytes || last?.type !== 'event' || last.status !== 'summarized';
}

function readRow(text: string): ReturnType<typeof clean> | { readonly reason: string } | null {
  if (text.trim() === '') return null;
  const read = rowOf(text);
  return 'row' in read ? clean(read.row) : read;
}

function openFile(file: string): { fd: number; bytesTotal: number } {
  try {
    const stat = fs.statSync(file);
    if (!stat.isFile()) throw noFile(`${file} is not a file`);
    return { fd: fs.openSync(file, 'r'), bytesTotal: stat.size };
  } catch (error) {
    if (error instanceof Failure) throw error;
    const what =
      errorCode(error) === 'ENOENT' ? `there is no ${file}` : `${file} cannot be read: ${messageOf(error)}`;
    throw noFile(what, error);
  }
}

function noFile(what: string, cause?: unknown): Failure {
  return new Failure('no_file', what, { safe: 'nothing was taken in', cause });
}

const nothing: TakenIn = {
  ...{ events: 0, summaries: 0, edges: 0, prompts: 0, digests: 0, known: 0, forgotten: 0, loose: 0 },
  ...{ redacted: 0, bad: 0, badLines: [] },
};

function added(a: TakenIn, b: TakenIn): TakenIn {
  return {
    events: a.events + b.events,
    summaries: a.summaries + b.summaries,
    edges: a.edges + b.edges,
    prompts: a.prompts + b.prompts,
    digests: a.digests + b.digests,
    known: a.known + b.known,
    forgotten: a.forgotten + b.forgotten,
    loose: a.loose + b.loose,
    redacted: a.redacted + b.redacted,
    bad: a.bad + b.bad,
    badLines: [...a.badLines, ...b.badLines].slice(0, badLinesShownMax),
  };
}
