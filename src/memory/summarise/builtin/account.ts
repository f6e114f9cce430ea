import { type Call, type Result, refusalReason, saysRefused } from '#reading/call';
import { oneLine } from '#reading/text';

/** The summary of a call by its tool family. The words of `terms` become search terms, the most important text first. */
export interface Account {
  readonly text: string;
  readonly terms: readonly string[];
}

/** `failed: WHAT: WHY`, the reason at most `max` characters long. */
export function failedAccount(
  { result }: Call,
  what: string,
  max: number,
  terms: readonly string[],
): Account {
  const { lead, reason } = failure(result, max);
  return { text: `${lead}: ${what}: ${reason}`, terms };
}

/** How a call failed. A refusal by the user is a decision and keeps the user's words. */
export function failure(result: Result, max: number): { readonly lead: string; readonly reason: string } {
  if (result.cancelled) return { lead: 'not run', reason: 'a parallel call had failed' };
  if (!result.refused) {
    // An edit that did not apply repeats the text it looked for, which is in the terms already.
    const [text = ''] = result.text.replace(/^(?:Error|error):\s*/, '').split('\nString: ');
    return { lead: 'failed', reason: text === '' ? 'no output' : oneLine(text, max) };
  }
  if (!saysRefused(result.text)) return { lead: 'refused', reason: oneLine(result.text, max) };
  const words = refusalReason(result);
  return {
    lead: 'refused by the user',
    reason: words === '' ? 'without a reason' : `they said: ${oneLine(words, max)}`,
  };
}
