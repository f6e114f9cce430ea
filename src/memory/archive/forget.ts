import fs from 'node:fs';
import path from 'node:path';
import { decodeRecord, eraseLines, goneFromLog, replacedLogs } from '#capture/log';
import { objectAt, own, parseObject, stringAt } from '#core/event';
import { archiveChunkBytes } from '#core/limits';
import { faultPoint } from '#core/platform';
import {
  emptyWal,
  eraseFromCopy,
  ForgottenTable,
  type Kept,
  type Store,
  type Trace,
  traceOf,
  traceOfEvent,
} from '#memory/store';
import { resummarise } from '#memory/summarise';
import { eraseFromArchives } from './restore-files.ts';

const traceSampleChars = 64;
const traceSampleEveryChars = 2_000;
const traceCallIdCharsMin = 8;

export interface Forgotten {
  /** Names of files in the workspace folder that may still hold the memory, since they could not be changed. */
  readonly kept: readonly string[];
}

/**
 * Removes a memory from every file of the workspace folder; null if it does not exist. From the first step on the event cannot
 * be stored again; its rows are removed last, so that an interrupted call can be repeated.
 */
export async function forgetEverywhere(
  store: Store,
  folder: string,
  summaryId: number,
): Promise<Forgotten | null> {
  const trace = traceOf(store.connection, summaryId);
  if (trace === null) return store.digests.forget(summaryId) ? { kept: [] } : null;
  return eraseTrace(store, folder, trace, () => store.summaries.forget(summaryId, resummarise));
}

/** The same for an event, which may have no summary. */
export async function forgetEvent(store: Store, folder: string, eventId: string): Promise<Forgotten | null> {
  const trace = traceOfEvent(store.connection, eventId);
  if (trace === null) return null;
  return eraseTrace(store, folder, trace, () =>
    store.connection.transaction(() => store.summaries.eraseEvent(eventId, resummarise)),
  );
}

async function eraseTrace(
  store: Store,
  folder: string,
  trace: Trace,
  removeRows: () => void,
): Promise<Forgotten> {
  new ForgottenTable(store).add([trace.eventId], new Date().toISOString());
  faultPoint('forget.mark');
  const matches = lineMatcher(trace);
  const log = path.join(folder, 'wal.ndjson');
  // The damaged lines last: a line of another file may be moved there meanwhile.
  const spools = ['spool.ndjson', 'spool.ndjson.scrubbing', 'spool.ndjson.taking'];
  for (const name of [
    ...replacedLogs(log).map((file) => path.basename(file)),
    ...spools,
    'wal-damaged.ndjson',
  ]) {
    eraseLines(path.join(folder, name), matches);
  }
  const kept = await eraseFromArchives(folder, trace);
  faultPoint('forget.files');
  kept.push(...copiesIn(folder).filter((copy) => !eraseCopy(copy, trace)));
  const digest = store.digests.kept(trace.sessionId);
  removeRows();
  if (digest?.pinned === true) keepPin(store, trace.sessionId, digest);
  faultPoint('forget.wal');
  if (!emptyWal(store.connection)) kept.push(path.join(folder, 'db.sqlite-wal'));
  if (!(await goneFromLog(log, JSON.stringify(trace.eventId)))) kept.push(log);
  return { kept: kept.map((file) => path.basename(file)) };
}

/** The digest went with the event: an empty one keeps the pin until it is written again from what is left. */
function keepPin(store: Store, sessionId: string, digest: Kept): void {
  const left = store.digests.staleOne(sessionId);
  if (left === null) return;
  const empty = { sessionId, text: '', terms: '', model: 'builtin', ts: left.lastTs, lastSeq: 0 };
  store.connection.transaction(() => store.digests.save(empty, digest));
}

/** Matches the lines that hold the event or a part of it: whole lines by its id, damaged ones also by their content. */
export function lineMatcher(trace: Trace): (line: string) => boolean {
  const contents = contentsOf(trace);
  return (line) => {
    const record = decodeRecord(line);
    // A call of another session may have the same call id.
    if ('event' in record) return record.event.id === trace.eventId;
    const event = objectAt(parseObject(line) ?? {}, 'event');
    const named = names(trace);
    // The event's id may be damaged: then that of the call.
    if (event !== undefined)
      return ['id', 'toolUseId'].some((key) => named.includes(stringAt(event, key) ?? ''));
    return (
      named.some((name) => line.includes(name)) ||
      blocksOf(line).some((block) => contents.some((content) => content.includes(block)))
    );
  };
}

function names({ eventId, toolUseId }: Trace): string[] {
  return toolUseId !== null && toolUseId.length >= traceCallIdCharsMin ? [eventId, toolUseId] : [eventId];
}

/** Input, output and summary; not what all calls of a session share. */
function contentsOf({ payloadJson, text }: Trace): string[] {
  const payload = parseObject(payloadJson);
  // No payload of memd's: searched for as it is.
  if (payload === null) return [payloadJson, text];
  return [...['input', 'output'].map((key) => JSON.stringify(own(payload, key) ?? null)), text];
}

/** A common run of two texts that is twice as long as a block contains a whole block. */
function blocksOf(line: string): string[] {
  const blocks = Array.from({ length: Math.floor(line.length / traceSampleChars) }, (_, at) =>
    line.slice(at * traceSampleChars, (at + 1) * traceSampleChars),
  );
  return blocks.filter((block) => block.trim() !== '');
}

/** Copies of the database: from before a migration, damaged, salvaged. */
export function copiesIn(folder: string): string[] {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder).sort() : [];
  const pattern = /^db\.sqlite\.(?:schema-\d+\.backup|corrupt-[^-]+|salvaged)$/;
  return names.filter((name) => pattern.test(name)).map((name) => path.join(folder, name));
}

/** Returns whether a copy holds nothing of it now. A damaged copy is searched byte by byte first. */
function eraseCopy(copy: string, trace: Trace): boolean {
  if (!path.basename(copy).startsWith('db.sqlite.corrupt-'))
    return typeof eraseFromCopy(copy, trace, resummarise) === 'string';
  const samples = [...names(trace), ...contentsOf(trace).flatMap(samplesOf)].map((sample) =>
    Buffer.from(sample),
  );
  const parts = ['', '-wal', '-journal'].map((part) => copy + part).filter((file) => fs.existsSync(file));
  if (!parts.some((file) => hasBytes(file, samples))) return true;
  return eraseFromCopy(copy, trace, resummarise) === 'erased';
}

/** Pieces so close that every SQLite page full of this text holds one. */
function samplesOf(content: string): string[] {
  const count = Math.ceil(content.length / traceSampleEveryChars);
  return Array.from({ length: count }, (_, at) =>
    content.slice(at * traceSampleEveryChars, at * traceSampleEveryChars + traceSampleChars),
  ).filter((sample) => sample.length === traceSampleChars);
}

function hasBytes(file: string, samples: readonly Buffer[]): boolean {
  const overlap = Math.max(...samples.map((sample) => sample.length));
  for (const chunk of chunksOf(file, overlap)) if (samples.some((one) => chunk.includes(one))) return true;
  return false;
}

/** The bytes of a file. The chunks overlap, so that none cuts what has up to `overlap` bytes. */
export function* chunksOf(file: string, overlap: number): Generator<Buffer> {
  const chunk = Buffer.allocUnsafe(archiveChunkBytes + overlap);
  const fd = fs.openSync(file, 'r');
  try {
    for (let position = 0, read = chunk.length; read === chunk.length; position += archiveChunkBytes) {
      read = fs.readSync(fd, chunk, 0, chunk.length, position);
      yield chunk.subarray(0, read);
    }
  } finally {
    fs.closeSync(fd);
  }
}
