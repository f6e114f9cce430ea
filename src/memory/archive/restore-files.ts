import fs from 'node:fs';
import path from 'node:path';
import { isMessageTool, isObject, type JsonObject, parseJson, stringAt } from '#core/event';
import { restoreFileDaysMax } from '#core/limits';
import { orElse, removeIfThere } from '#core/platform';
import { askedEvidence, type Trace, withoutClause } from '#memory/store';
import { eventsNamedBy } from './clean.ts';
import { linesFrom } from './lines.ts';
import { writeLines } from './whole-file.ts';

/** A free name for a restore file: `restore-20260131T235959.123Z.ndjson`. */
export function newRestoreFile(folder: string, nowMs: number): string {
  for (let ms = nowMs; ; ms += 1) {
    const time = new Date(ms).toISOString().replaceAll(/[-:]/g, '');
    const file = path.join(folder, `restore-${time}.ndjson`);
    if (!fs.existsSync(file)) return file;
  }
}

/** Removes the restore files that are older than `restoreFileDaysMax`, by the time in their names. Returns how many. */
export function removeOldRestoreFiles(folder: string, nowMs: number): number {
  const files = fs.existsSync(folder) ? filesIn(folder, /^restore-.*\.ndjson$/) : [];
  const old = files.filter((file) => nowMs - timeOf(file) > restoreFileDaysMax * 86_400_000);
  for (const file of old) removeIfThere(file);
  return old.length;
}

/**
 * Rewrites the restore files and exports in `folder` that hold an event or may quote it. Returns the files that could not be
 * cleaned: links, whose targets are not changed, and files that cannot be read.
 */
export async function eraseFromArchives(folder: string, trace: Trace): Promise<string[]> {
  const kept: string[] = [];
  // `isArchive` excludes the log's files by their first line.
  for (const file of filesIn(folder, /\.ndjson$/)) {
    if (!fs.existsSync(file) || !fs.statSync(file).isFile()) continue;
    const fd = openToRead(file);
    if (fd === null) {
      kept.push(file);
      continue;
    }
    try {
      if (!isArchive(file, fd) || !someChange(fd, trace)) continue;
      if (fs.lstatSync(file).isSymbolicLink()) kept.push(file);
      else await writeLines(file, linesWithout(fd, trace));
    } finally {
      fs.closeSync(fd);
    }
  }
  return kept;
}

function openToRead(file: string): number | null {
  // The caller names the file.
  return orElse(() => fs.openSync(file, 'r'), null);
}

/** The files in a folder whose name matches, sorted by name. */
function filesIn(folder: string, pattern: RegExp): string[] {
  const names = fs.readdirSync(folder).filter((name) => pattern.test(name));
  return names.sort().map((name) => path.join(folder, name));
}

function isArchive(file: string, fd: number): boolean {
  if (path.basename(file).startsWith('restore-')) return true;
  const [first] = linesFrom(fd, 0);
  return first !== undefined && 'text' in first && first.text.startsWith('{"format":"memd-export"');
}

/** NaN for a name that memd did not give: such a file is never removed. */
function timeOf(file: string): number {
  const [, year, month, day, hour, minute, rest] =
    /^restore-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3}Z)\.ndjson$/.exec(path.basename(file)) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${rest}`);
}

function someChange(fd: number, trace: Trace): boolean {
  const eraser = new LineEraser(trace);
  for (const line of linesFrom(fd, 0))
    if (!('text' in line) || eraser.erased(line.text) !== line.text) return true;
  return false;
}

function* linesWithout(fd: number, trace: Trace): Generator<string> {
  const eraser = new LineEraser(trace);
  for (const line of linesFrom(fd, 0)) {
    // A line that cannot be read is removed.
    const left = 'text' in line ? eraser.erased(line.text) : null;
    if (left !== null) yield left;
  }
}

/** Erases an event from the lines of an archive, in their order. */
class LineEraser {
  readonly #trace: Trace;
  /** The events of the session: their summaries may quote the event. */
  readonly #events = new Set<string>();
  /** Those whose summaries were rewritten. */
  readonly #rewritten = new Set<string>();

  constructor(trace: Trace) {
    this.#trace = trace;
  }

  /** The line without the event's words; null if the whole line is removed. */
  erased(line: string): string | null {
    const { eventId, sessionId } = this.#trace;
    if (sessionId === '' && !line.includes(eventId)) return line;
    const value = parseJson(line);
    // Not JSON: removed if it names the event.
    if (value === undefined) return line.includes(eventId) ? null : line;
    if (!isObject(value)) return line;
    if (isAbout(value, eventId)) return null;
    if (sessionId === '') return line;
    // A digest covers all calls of its session; it will be written again.
    if (stringAt(value, 'type') === 'digest') return stringAt(value, 'sessionId') === sessionId ? null : line;
    if (stringAt(value, 'type') === 'edge') return this.#mayQuote(value) ? null : line;
    if (stringAt(value, 'type') === 'event' && stringAt(value, 'sessionId') === sessionId && isCall(value))
      this.#events.add(stringAt(value, 'id') ?? '');
    return this.#withoutQuotes(value, line);
  }

  /** A model that was asked has read the summaries. */
  #mayQuote(edge: JsonObject): boolean {
    const ends = [stringAt(edge, 'from') ?? '', stringAt(edge, 'to') ?? ''];
    return (
      ends.some((end) => this.#rewritten.has(end)) &&
      (stringAt(edge, 'evidence') ?? '').startsWith(askedEvidence)
    );
  }

  #withoutQuotes(value: JsonObject, line: string): string {
    if (stringAt(value, 'type') !== 'summary' || stringAt(value, 'model') !== 'builtin') return line;
    const event = stringAt(value, 'eventId') ?? '';
    const said = stringAt(value, 'text') ?? '';
    const text = withoutClause(said);
    if (!this.#events.has(event) || text === said) return line;
    this.#rewritten.add(event);
    return JSON.stringify({ ...value, text });
  }
}

function isCall({ tool }: JsonObject): boolean {
  return !isMessageTool(tool, 'user') && !isMessageTool(tool, 'assistant');
}

function isAbout(value: JsonObject, eventId: string): boolean {
  if (stringAt(value, 'type') === 'forgotten') return false;
  return eventsNamedBy(value).includes(eventId);
}
