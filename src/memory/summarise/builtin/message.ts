import type { MessageFields, Payload } from '#core/event';
import { messageSummaryChars, summaryCharsMax } from '#core/limits';
import { commandText, readCall } from '#reading/call';
import { factsOf } from '#reading/facts';
import { conclusionIn, isClaim, leadOf, requestIn } from '#reading/talk';
import { clip } from '#reading/text';
import type { SummaryDraft, Turn } from '../backend.ts';
import { termsFrom, wordsOf } from './words.ts';

/** Whether a message says how work ended. */
export function claims(payload: Payload): boolean {
  return payload.message?.role === 'assistant' && isClaim(textOf(payload));
}

/** The draft of a message: who said it, its request or conclusion, and for a claim how its `turn` ended. */
export function draftMessage(payload: Payload, { role }: MessageFields, turn?: Turn): SummaryDraft {
  const said = textOf(payload);
  const words = (role === 'user' ? requestIn : conclusionIn)(said, messageSummaryChars);
  const label = turn === undefined ? '' : outcomeOf(turn);
  const text = `${leadOf(role)}${words}`.replace(/\s+/g, ' ').trim();
  return { text: clip(text, summaryCharsMax - label.length) + label, terms: namesBeyond(said, text) };
}

function textOf({ output }: Payload): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}

/** Names, paths, identifiers and numbers of `said` that `text` does not hold. */
function namesBeyond(said: string, text: string): string {
  const held = new Set(wordsOf(text));
  const names = wordsOf(said).filter((word) => isName.test(word) && !held.has(word));
  return termsFrom([names.join(' ')]);
}

const isName = /\p{L}[/_.:@#]\p{L}|\p{Ll}\p{Lu}|\p{L}\d|\d\p{L}|^--?\p{L}|^\p{Lu}{2,}$|^\p{L}+-\p{L}+$/u;

/**
 * How the turn of a claim went, in words that quote no call: the last check and whether it was committed or reverted. What followed
 * the claim counts; when nothing did, what came before it.
 */
function outcomeOf({ before, after }: Turn): string {
  const then = eventsIn(after);
  if (then.length > 0) return ` [Afterwards: ${then.join(', ')}.]`;
  const sofar = eventsIn(before.toReversed());
  return sofar.length === 0 ? '' : ` [Before it: ${sofar.join(', ')}.]`;
}

/** `calls`: the first one first. */
function eventsIn(calls: readonly Payload[]): string[] {
  let check = '';
  const others = new Set<string>();
  for (const payload of calls) {
    const { runs } = factsOf(payload);
    const last = runs.findLast(({ isCheck }) => isCheck);
    if (last !== undefined) check = `a check ${last.verdict}`;
    const { result } = readCall(payload);
    if (result.failed || runs.length === 0) continue;
    const command = commandText(readCall(payload));
    if (/\bgit\b[^;&|\n]{0,80}\bcommit\b/.test(command)) others.add('a commit');
    if (/\bgit\b[^;&|\n]{0,80}\b(?:revert|restore|reset --hard|checkout --)(?=\s|$)/.test(command))
      others.add('a revert');
  }
  return [check, ...others].filter((part) => part !== '');
}
