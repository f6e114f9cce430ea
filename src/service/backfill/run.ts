import type { FoundTranscripts, TranscriptReport } from '#capture/clients';
import type { ClientName, Observation, ToolEvent } from '#core/event';
import { transcriptLineBytesMax } from '#core/limits';
import { eventBatches } from './batches.ts';

/** The result (spec 2.5). `captured + duplicates` is the number of calls and messages in the files. */
export type BackfillResult = Awaited<ReturnType<typeof runBackfill>>;

export interface ClientCounts {
  /** The number of transcripts, subagents' included; a session in a database counts as one. */
  readonly scanned: number;
  readonly captured: number;
  readonly duplicates: number;
}

export interface BackfillProgress {
  readonly files: number;
  readonly filesTotal: number;
  readonly captured: number;
  readonly duplicates: number;
}

export interface BackfillOptions {
  readonly found: Pick<FoundTranscripts, 'transcripts' | 'unreadable' | 'notes'>;
  /** Stores a batch and returns how many events were new; in a dry run, how many would be. */
  readonly store: (events: readonly ToolEvent[]) => Promise<{ inserted: number; duplicates: number }>;
  readonly progress: (progress: BackfillProgress) => void;
  /** False: only calls are stored. True by default. */
  readonly messages?: boolean;
}

/** Reads transcripts one after the other, in bounded memory, and stores new events. */
export async function runBackfill(options: BackfillOptions) {
  const { transcripts, unreadable, notes: known = [] } = options.found;
  // `malformed`: skipped lines that are not transcript lines. `unanswered`: calls without a result, stored as unfinished, but for refused
  // ones. `ignored`: calls of memd's own tools, which are not stored.
  const total = { scanned: 0, captured: 0, duplicates: 0, malformed: 0, unanswered: 0, ignored: 0 };
  const clients = new Map<ClientName, ClientCounts>();
  const failures = new Set(unreadable);
  const notes = [...known];
  let withoutCall = 0;
  const progressed = (more = { captured: 0, duplicates: 0 }): void => {
    const sum = { captured: total.captured + more.captured, duplicates: total.duplicates + more.duplicates };
    options.progress({ files: total.scanned, filesTotal: transcripts.length, ...sum });
  };
  const isWanted = ({ message }: Observation): boolean => options.messages !== false || message === undefined;
  for (const transcript of transcripts) {
    const counts = { captured: 0, duplicates: 0 };
    const { take, flush } = eventBatches(isWanted, async (events) => {
      const { inserted, duplicates } = await options.store(events);
      counts.captured += inserted;
      counts.duplicates += duplicates;
      progressed(counts);
    });
    const report = await transcript.read(take);
    await flush();
    const { captured, duplicates } = counts;
    const client = report.client ?? transcript.client;
    const before = clients.get(client) ?? { scanned: 0, captured: 0, duplicates: 0 };
    clients.set(client, {
      scanned: before.scanned + 1,
      captured: before.captured + captured,
      duplicates: before.duplicates + duplicates,
    });
    total.scanned += 1;
    total.captured += captured;
    total.duplicates += duplicates;
    total.malformed += report.malformed;
    total.unanswered += report.unanswered;
    total.ignored += report.ignored;
    withoutCall += report.withoutCall;
    if (report.failure !== null) failures.add(report.failure.message);
    if (report.tooLong > 0) notes.push(longNote(report));
    progressed();
  }
  if (withoutCall > 0) notes.push(resultsNote(withoutCall));
  const sorted = [...clients].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...total,
    /** Files and folders that were not read completely, each with its reason. */
    unreadable: [...failures],
    /** What else a user should know, each in a line. */
    notes,
    /** The same counts by assistant. */
    clients: Object.fromEntries(sorted),
  };
}

function longNote({ file, tooLong }: Pick<TranscriptReport, 'file' | 'tooLong'>): string {
  const lines = tooLong === 1 ? '1 line is' : `${tooLong} lines are`;
  return `${lines} longer than ${transcriptLineBytesMax / 1024 / 1024} MiB and left out: ${file}`;
}

function resultsNote(count: number): string {
  const results = count === 1 ? '1 result of a tool is' : `${count} results of tools are`;
  return `${results} left out: the transcripts do not have the call.`;
}
