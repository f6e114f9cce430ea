import { type Result, refusalReason } from '../../../calls/call/index.ts';
import { oneLine } from '../../../calls/text/index.ts';

/**
 * How a failed call is told: `failed`, or `refused by the user`, which is a decision and is kept with the
 * words that came with it.
 */
export function failure(result: Result, max: number): { readonly lead: string; readonly said: string } {
  if (result.cancelled) return { lead: 'not run', said: 'a call beside it had failed' };
  if (!result.refused) {
    // An edit that found no place repeats the text it looked for; the terms have it already.
    const [text = ''] = result.text.replace(/^(?:Error|error):\s*/, '').split('\nString: ');
    return { lead: 'failed', said: text === '' ? 'no output' : oneLine(text, max) };
  }
  const reason = refusalReason(result);
  return {
    lead: 'failed: refused by the user',
    said: reason === '' ? 'without a reason' : `they said: ${oneLine(reason, max)}`,
  };
}
