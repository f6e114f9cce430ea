import { setImmediate } from 'node:timers/promises';
import { messageOf, rescued } from '#core/platform';
import type { Backend, BatchOutcome, RawEvent, RowFailure, SummaryDraft } from '../backend.ts';
import type { Usage } from '../chat.ts';
import { draftSummary } from './draft.ts';
import { claims, draftMessage } from './message.ts';

const builtinBatchMax = 64;

const usage: Usage = { calls: 0, inputTokens: 0, outputTokens: 0 };

/** The embedded backend: always available, costs nothing, fails an event only when it has no tool name. */
export function builtinBackend(): Backend {
  return {
    name: 'builtin',
    model: 'builtin',
    batchMax: builtinBatchMax,
    summarise: summariseBatch,
  };
}

async function summariseBatch(events: readonly RawEvent[], signal: AbortSignal): Promise<BatchOutcome> {
  const answers: (SummaryDraft | RowFailure)[] = [];
  for (const event of events) {
    // A drain shares its thread with captures, which must not wait.
    await setImmediate();
    if (signal.aborted) return { kind: 'outage', error: 'the drain was stopped', retryable: true };
    answers.push(answerFor(event));
  }
  return { kind: 'done', answers, usage };
}

/** The draft of one event, or its error. */
export function answerFor(event: RawEvent): SummaryDraft | RowFailure {
  // The database's text may have been edited by hand.
  if (event.payload.tool.trim() === '') return { error: 'malformed payload: no tool name' };
  const { payload } = event;
  const { message } = payload;
  if (message === undefined) return guarded(() => draftSummary(payload));
  // Outside the guard: a store that cannot be read is not the fault of this event.
  const turn = claims(payload) ? event.turn?.() : undefined;
  return guarded(() => draftMessage(payload, message, turn));
}

/** An error in one event must not hold up the rest of its batch. */
function guarded<T>(work: () => T): T | RowFailure {
  return rescued(work, (error) => ({ error: `builtin summary failed: ${messageOf(error)}` }));
}
