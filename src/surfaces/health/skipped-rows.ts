import { redactText } from '../../capture/redact/index.ts';
import { type SkipReason, skipReasons } from '../../memory/store/index.ts';
import { conditions } from '../../service/info/index.ts';
import type { Check, Found, Looked } from './check.ts';
import { fromStore } from './from-store.ts';
import { quoted } from './words.ts';

const doctorReasonsMax = 3;
const doctorReasonCharsMax = 160;

/** Rows that were given up, and the commonest reasons. */
export const skippedRows: Check = {
  ...conditions.skippedRows,
  look,
  fix: null,
};

async function look({ workspace }: Looked): Promise<Found[]> {
  const found = fromStore(workspace, (store) => ({
    skipped: store.stats.counts().skipped,
    reasons: skipReasons(store, doctorReasonsMax),
  }));
  if (found === null || found.skipped === 0) return [];
  const sql = `sqlite3 ${quoted(workspace.database)} "UPDATE events SET status='raw' WHERE status='skipped'"`;
  return [
    {
      detail: `${found.skipped} in all; ${found.reasons.map(inWords).join('; ')}`,
      repair: `mend the cause, then have them tried anew: ${sql}`,
    },
  ];
}

function inWords({ reason, rows }: SkipReason): string {
  const words = redactText(reason ?? 'no reason told')
    .text.replace(/\s+/g, ' ')
    .trim();
  const short = words.length > doctorReasonCharsMax ? `${words.slice(0, doctorReasonCharsMax)}...` : words;
  return `${rows} x ${short}`;
}
