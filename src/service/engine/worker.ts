import { workerData } from 'node:worker_threads';
import { messageOf } from '#core/platform';
import { notify, serveThread } from '#core/thread';
import type { DrainProgress } from '#memory/consolidate';
import { damageFailure, isCorruption, isMoved } from '#memory/store';
import { type EngineNotice, type EngineOps, type EngineSettings, openEngine } from './ops.ts';

function report(message: string, fields: Readonly<Record<string, string | number>>): void {
  notify({ kind: 'report', message, fields } satisfies EngineNotice);
}

/** What the requester of a failed operation gets. A damaged database is marked for the next start, which repairs it. */
function explain(thrown: unknown, ops: EngineOps | null): unknown {
  // The database file was replaced, so nothing written from here on would be found: the thread ends by this, and the daemon with it.
  if (isMoved(thrown)) setImmediate(() => raise(thrown));
  if (ops === null || !isCorruption(thrown)) return thrown;
  const what = messageOf(thrown);
  try {
    ops.damaged(what);
  } catch (markError) {
    // Without the mark the next start checks the file itself, since this daemon leaves its pid file.
    report('the damage could not be marked', { error: messageOf(markError) });
  }
  notify({ kind: 'damaged', what } satisfies EngineNotice);
  return damageFailure(what);
}

function raise(thrown: unknown): never {
  throw thrown;
}

function progressed(drain: number, progress: DrainProgress): void {
  notify({ kind: 'progress', drain, progress } satisfies EngineNotice);
}

serveThread({ open: () => openEngine(workerData as EngineSettings, report, progressed), explain });
