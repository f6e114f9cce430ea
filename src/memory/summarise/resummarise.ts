import { parsePayload } from '../../calls/call/index.ts';
import { summaryCharsMax } from '../../core/limits.ts';
import type { Resummarise, Words } from '../store/index.ts';
import type { RawEvent } from './backend.ts';
import { answerFor, withoutClause } from './builtin/index.ts';
import { EarlierCalls } from './earlier.ts';

/** What the builtin summariser says of a row: the words that a drain would give it at this moment. */
export const resummarise: Resummarise = (events) => {
  const earlier = new EarlierCalls({ events });
  return (seq, payloadJson, kept) => without(kept) ?? told(payloadJson, () => earlier.before(seq));
};

/** What the builtin summariser says of a call that it knows nothing around; `kept` as in `Resummarise`. */
export function resummariseAlone(payloadJson: string, kept: Words | null = null): Words {
  return without(kept) ?? told(payloadJson, () => []);
}

/** Words that cannot be told anew, as far as they are of the call alone. */
function without(kept: Words | null): Words | null {
  return kept === null ? null : { text: withoutClause(kept.text), terms: kept.terms };
}

function told(payloadJson: string, earlier: NonNullable<RawEvent['earlier']>): Words {
  const parsed = parsePayload(payloadJson);
  if (!('payload' in parsed)) return unreadable;
  const answer = answerFor({ id: '', payload: parsed.payload, earlier });
  return 'text' in answer ? { ...answer, text: answer.text.slice(0, summaryCharsMax) } : unreadable;
}

/** Of a payload that somebody has torn since it was summarised: what it said then may not be kept. */
const unreadable: Words = { text: 'A call whose record cannot be read any more.', terms: '' };
