import { parsePayload } from '../../calls/call/index.ts';
import type { Resummarise, Words } from '../store/index.ts';
import type { RawEvent } from './backend.ts';
import { answerFor, withoutClause } from './builtin/index.ts';
import { EarlierCalls } from './earlier.ts';
import { asStored } from './spoken.ts';

/** The builtin summary of a row, as a drain would write it now. */
export const resummarise: Resummarise = (events) => {
  const earlier = new EarlierCalls({ events });
  return (seq, payloadJson, kept) =>
    keptWords(kept) ??
    summaryOf(payloadJson, { earlier: () => earlier.before(seq), turn: () => earlier.turn(seq) });
};

/** The builtin summary of a call without its session; `kept` as in `Resummarise`. */
export function resummariseAlone(payloadJson: string, kept: Words | null = null): Words {
  return keptWords(kept) ?? summaryOf(payloadJson, {});
}

/** Words that cannot be computed again, without the clause about other calls. */
function keptWords(kept: Words | null): Words | null {
  return kept === null ? null : { text: withoutClause(kept.text), terms: kept.terms };
}

function summaryOf(payloadJson: string, around: Pick<RawEvent, 'earlier' | 'turn'>): Words {
  const parsed = parsePayload(payloadJson);
  if (!('payload' in parsed)) return unreadable;
  const answer = answerFor({ id: '', payload: parsed.payload, ...around });
  return 'text' in answer ? asStored(parsed.payload, answer) : unreadable;
}

/** For a payload that was damaged after it was summarised: its old summary may not stay. */
const unreadable: Words = { text: 'A call whose record cannot be read any more.', terms: '' };
