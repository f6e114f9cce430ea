import { doctorReasonCharsMax, doctorReasonsMax } from '../limits.ts';
import { Failure } from '../platform/index.ts';
import { redactText } from '../redact/index.ts';
import { isCorruption, openStoreReadOnly, type SkipReason, type Store, skipReasons } from '../store/index.ts';
import type { Check, Found, Subject } from './check.ts';

/** Rows that were given up, and the commonest reasons. */
export const skippedRows: Check = {
  code: 'skipped-rows',
  severity: 'warning',
  sentence: 'events were given up and have no summary',
  repair: "mend the cause, then have them tried anew: UPDATE events SET status='raw' WHERE status='skipped'",
  look,
  mend: null,
};

async function look({ workspace }: Subject): Promise<Found[]> {
  let store: Store | null = null;
  try {
    store = openStoreReadOnly(workspace.database);
    const skipped = store?.ledger.counts().skipped ?? 0;
    if (store === null || skipped === 0) return [];
    const reasons = skipReasons(store, doctorReasonsMax).map(inWords);
    return [{ detail: `${skipped} in all; ${reasons.join('; ')}` }];
  } catch (error) {
    // A database that cannot be used is told of once, by the check that reads all of it.
    if (error instanceof Failure || isCorruption(error)) return [];
    throw error;
  } finally {
    store?.close();
  }
}

function inWords({ reason, rows }: SkipReason): string {
  const words = redactText(reason ?? 'no reason told')
    .text.replace(/\s+/g, ' ')
    .trim();
  const short = words.length > doctorReasonCharsMax ? `${words.slice(0, doctorReasonCharsMax)}...` : words;
  return `${rows} x ${short}`;
}
