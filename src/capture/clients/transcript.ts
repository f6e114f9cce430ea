import fs from 'node:fs';
import {
  documentOf,
  type FoundTranscript,
  jsonIn,
  type Line,
  linesOf,
  type Reported,
  stripBinary,
  type TranscriptReader,
  unreadable,
} from '#assistants/form';
import { assistants } from '#assistants/table';
import { type ClientName, isObject, type Json } from '#core/event';
import { Failure } from '#core/platform';
import { typedIn } from './noise.ts';
import { type Adapted, isoTime, observed } from './observe.ts';

export type TranscriptItem =
  | Extract<Adapted, { kind: 'observation' }>
  | { readonly kind: 'malformed'; readonly line: number; readonly error: string };

export interface TranscriptReport {
  readonly file: string;
  /** Null when no record was recognised. */
  readonly client: ClientName | null;
  readonly observations: number;
  /** Lines that are not a JSON object, skipped. */
  readonly malformed: number;
  /** Calls without a result: interrupted ones, which are stored as unfinished, refused ones, and the running one. */
  readonly unanswered: number;
  /** Results without their call, left out: nothing says what was called. */
  readonly withoutCall: number;
  /** Lines that are longer than `transcriptLineBytesMax`, skipped. */
  readonly tooLong: number;
  /** Calls of the memory's own tools, left out. */
  readonly ignored: number;
  /** `transcript_unreadable`, naming the file, when it could not be read, or not to its end. */
  readonly failure: Failure | null;
}

const formats = assistants.flatMap(({ name, transcripts = [] }) =>
  transcripts.map((format) => ({ name, format })),
);

/** What is known of a transcript before it is read. */
export interface Expected extends Pick<FoundTranscript, 'cwd' | 'session' | 'startedBy'> {
  /** Forks of a client write its format. */
  readonly client?: ClientName;
}

export type OnItem = (item: TranscriptItem) => void | Promise<void>;

/**
 * Reads a transcript (`.jsonl`, `.json`, each also `.gz` or `.zst`; the content shows the format) and passes each finished
 * call and what the user typed to `onItem`, in order, and waits for it. Memory is bounded by one line (or one document)
 * and the unfinished calls. Only what `onItem` throws is thrown.
 */
export async function readTranscript(
  file: string,
  onItem: OnItem,
  expected: Expected = {},
): Promise<TranscriptReport> {
  return reported(file, onItem, expected, async (reading) => {
    const stat = statOf(file);
    reading.fallbackTime = stat.mtime.toISOString();
    await readLines(file, reading);
  });
}

/** The same for records from another source, `name`; null stands for an unreadable one. */
export function readRecords(
  name: string,
  records: Iterable<Json> | AsyncIterable<Json>,
  onItem: OnItem,
  expected: Expected & { readonly ms: number },
): Promise<TranscriptReport> {
  return reported(name, onItem, expected, async (reading) => {
    reading.fallbackTime = isoTime(expected.ms) ?? reading.fallbackTime;
    let number = 0;
    for await (const record of records) {
      number += 1;
      await reading.takeNumbered(number, record);
    }
  });
}

async function reported(
  file: string,
  onItem: OnItem,
  expected: Expected,
  read: (reading: Reading) => Promise<void>,
): Promise<TranscriptReport> {
  const reading = new Reading(onItem, expected);
  let failure: Failure | null = null;
  try {
    await read(reading);
    await reading.end();
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'transcript_unreadable') throw error;
    failure = error;
  }
  return { file, ...reading.report(), failure };
}

function statOf(file: string): fs.Stats {
  let stat: fs.Stats;
  try {
    stat = fs.statSync(file);
  } catch (error) {
    throw unreadable(file, error);
  }
  // Reading a pipe would wait for a writer.
  if (!stat.isFile()) throw unreadable(file, new Error('not a regular file'));
  return stat;
}

async function readLines(file: string, reading: Reading): Promise<void> {
  let isFirst = true;
  for await (const lines of linesOf(file)) {
    for (const line of lines) {
      const record = line.bytes === null ? undefined : jsonIn(line.bytes);
      // The first line of a document over many lines is not JSON by itself.
      const document = isFirst && record === undefined ? await documentOf(file) : undefined;
      if (document !== undefined) return reading.takeDocument(document);
      isFirst = false;
      await reading.takeLine(line, record);
    }
  }
}

export class Reading {
  /** The time of a call whose record has none. */
  fallbackTime = new Date(0).toISOString();
  readonly #onItem: OnItem;
  readonly #expected: Expected;
  #client: ClientName | null = null;
  #reader: TranscriptReader | null = null;
  readonly #counts = { observations: 0, malformed: 0, tooLong: 0, ignored: 0 };

  constructor(onItem: OnItem, expected: Expected) {
    this.#onItem = onItem;
    this.#expected = expected;
  }

  async takeDocument(document: Json): Promise<void> {
    const records = Array.isArray(document) ? document : [document];
    for (const record of records) await this.#takeRecord(record, 0);
  }

  async takeLine(line: Line, record: Json | undefined): Promise<void> {
    if (line.bytes !== null && isObject(record)) return this.#takeRecord(record, line.bytes.length);
    if (line.bytes === null) this.#counts.tooLong += 1;
    else await this.#malformedAt(line.number, 'the line is not one JSON object');
  }

  async takeNumbered(number: number, record: Json): Promise<void> {
    if (isObject(record)) return this.#takeRecord(record, 0);
    await this.#malformedAt(number, 'the record is too long or not one JSON object');
  }

  async #malformedAt(line: number, error: string): Promise<void> {
    this.#counts.malformed += 1;
    await this.#onItem({ kind: 'malformed', line, error });
  }

  async #takeRecord(raw: Json, bytes: number): Promise<void> {
    const record = stripBinary(raw);
    if (!isObject(record)) return;
    if (this.#reader === null) {
      const known = formats.find(({ format }) => format.recognises(record));
      if (known === undefined) return;
      this.#client = this.#expected.client ?? known.name;
      this.#reader = known.format.open();
    }
    const read = this.#reader.read(record, bytes, { ...this.#expected, typedIn });
    const { where } = this.#reader;
    await this.#take(read.map((one) => ({ ...where, ...one })));
  }

  /** Takes what the reader kept back; `isWhole`: no record follows, so that a call without a result is an unfinished one. */
  async end(isWhole = true): Promise<void> {
    await this.#take(this.#reader?.end?.(isWhole) ?? []);
    if (isWhole) await this.#take(this.#reader?.pending?.unfinished() ?? []);
  }

  async #take(all: readonly Reported[]): Promise<void> {
    const { session = null } = this.#expected;
    const context = { receivedAt: this.fallbackTime, cwd: this.#expected.cwd ?? null };
    for (const read of all) {
      const reported = { ...read, sessionId: read.sessionId ?? session };
      const adapted = observed(this.#client ?? 'unknown', reported, context);
      if (adapted.kind === 'ignored') {
        this.#counts.ignored += 1;
        continue;
      }
      this.#counts.observations += 1;
      await this.#onItem(adapted);
    }
  }

  report(): Omit<TranscriptReport, 'file' | 'failure'> {
    return {
      client: this.#client,
      ...this.#counts,
      unanswered: (this.#reader?.pending?.unanswered() ?? 0) + (this.#reader?.refused ?? 0),
      withoutCall: this.#reader?.pending?.withoutCall ?? 0,
    };
  }
}
