import type { Words } from '#memory/store';
import { parsePayload } from '#reading/call';
import { answerFor } from './builtin/index.ts';
import { asStored } from './spoken.ts';

/** The builtin summary of an event, from its payload alone. */
export function resummarise(payloadJson: string): Words {
  const parsed = parsePayload(payloadJson);
  if (!('payload' in parsed)) return unreadable;
  const answer = answerFor({ id: '', payload: parsed.payload });
  return 'text' in answer ? asStored(parsed.payload, answer) : unreadable;
}

/** For a payload that was damaged after it was summarised: its old summary may not stay. */
const unreadable: Words = { text: 'A call whose record cannot be read any more.', terms: '' };
