import { oneLine } from './lines.ts';
import type { Result } from './result.ts';

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

/** What the user said in refusing a call, or ''; without the note that a client may add for its model. */
export function refusalReason({ text }: Pick<Result, 'text'>): string {
  const reason = /\bthe user said:\s*([\s\S]*)/.exec(text)?.[1] ?? '';
  return reason.replace(/\nNote: [\s\S]*$/, '').trim();
}
