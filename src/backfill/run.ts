import { prepare } from '../capture/index.ts';
import { readTranscript } from '../clients/index.ts';
import type { ToolEvent } from '../event/index.ts';
import { backfillBatchMax } from '../limits.ts';
import type { Prompt } from '../store/index.ts';
import { preparePrompt } from './prompt.ts';

/** What a backfill did (spec 2.5). `captured + duplicates` is the number of finished calls in the files. */
export interface BackfillResult {
  /** Transcript files found, subagents' included. */
  readonly scanned: number;
  readonly captured: number;
  readonly duplicates: number;
  /** Lines that are not what a transcript line is; skipped. */
  readonly malformed: number;
  /** Calls without a result (interrupted ones), and calls of memd's own tools; not stored. */
  readonly unanswered: number;
  readonly ignored: number;
  /** Files that could not be read, or not to their end, each with its reason. */
  readonly unreadable: readonly string[];
}

export interface BackfillProgress {
  readonly files: number;
  readonly filesTotal: number;
  readonly captured: number;
  readonly duplicates: number;
}

export interface BackfillOptions {
  readonly files: readonly string[];
  /** Stores a batch and answers how many were new; in a dry run, how many would be. */
  readonly store: (events: readonly ToolEvent[]) => Promise<{ inserted: number; duplicates: number }>;
  /** Stores what the users typed; nothing in a dry run. */
  readonly storePrompts: (prompts: readonly Prompt[]) => Promise<unknown>;
  readonly progress: (progress: BackfillProgress) => void;
}

/** Reads transcripts one after the other, in bounded memory, and stores what is not stored yet. */
export async function runBackfill(options: BackfillOptions): Promise<BackfillResult> {
  const { files, store, storePrompts, progress } = options;
  const total = { captured: 0, duplicates: 0, malformed: 0, unanswered: 0, ignored: 0 };
  const unreadable: string[] = [];
  let batch: ToolEvent[] = [];
  let prompts: Prompt[] = [];
  let done = 0;
  const tell = (): void => {
    const { captured, duplicates } = total;
    progress({ files: done, filesTotal: files.length, captured, duplicates });
  };
  const flush = async (): Promise<void> => {
    if (prompts.length > 0) await storePrompts(prompts);
    prompts = [];
    if (batch.length === 0) return;
    const { inserted, duplicates } = await store(batch);
    total.captured += inserted;
    total.duplicates += duplicates;
    batch = [];
    tell();
  };
  for (const file of files) {
    const report = await readTranscript(file, async (item) => {
      if (item.kind === 'observation') batch.push(prepare(item.observation).event);
      if (item.kind === 'prompt') prompts.push(...preparePrompt(item));
      if (batch.length >= backfillBatchMax || prompts.length >= backfillBatchMax) await flush();
    });
    await flush();
    total.malformed += report.malformed;
    total.unanswered += report.unanswered;
    total.ignored += report.ignored;
    if (report.failure !== null) unreadable.push(report.failure.message);
    done += 1;
    tell();
  }
  return { scanned: files.length, ...total, unreadable };
}
