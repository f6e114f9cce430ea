import { once } from '#reading/call';
import { isClaim, isCourtesy, outcomeIn, reportIn } from '#reading/talk';
import type { Said } from './account.ts';

const saysCharsMax = 180;
const saysListCharsMax = 240;
export const outcomeCharsMax = 380;
export const reportCharsMax = 480;
const outcomeCharsMin = 24;

/** Of an event; `at` is its number in the order of time, which `seq` is not: messages may be stored after the calls between them. */
export interface Place {
  readonly seq: number;
  readonly ts: string;
  readonly at: number;
}

/** A reply as it was written. */
export type Reply = Place & Said;

/** It only announces or thanks. */
export const isThanks = once(({ text }: Reply) => isCourtesy(text));

/** A few words behind a report, without a call between them: to a late notice, say. */
export function addsLittle({ text }: Reply, before: Reply): boolean {
  return text.length * fullTimes < before.text.length && !text.trimEnd().endsWith('?') && hasOutcome(before);
}

const fullTimes = 3;

/** The changes that it lists, else what it says was done. */
const saidIn = once(
  ({ text }: Reply) =>
    reportIn(text, saysListCharsMax) || (isClaim(text) ? beyondCommit(outcomeIn(text, saysCharsMax)) : ''),
);

/** A commit has a line of its own. */
function beyondCommit(said: string): string {
  const form =
    said.length < outcomeCharsMin * 2 ? /^(?:committed|pushed)\b/i : /^committed as `?[0-9a-f]{7}/i;
  return form.test(said) ? '' : said;
}

/** Whether it says what came out: a short conclusion says little more than that it is done, and the commits have a line of their own. */
export const hasOutcome = once(({ text }: Reply) => reportIn(text, reportCharsMax) !== '' || saysMore(text));

function saysMore(text: string): boolean {
  const conclusion = outcomeIn(text, outcomeCharsMax);
  return isMore(conclusion);
}

/** A few words, that a commit was made or that work goes on, are no outcome. */
export function isMore(conclusion: string): boolean {
  return (
    conclusion.length >= outcomeCharsMin && !/^(?:committed|pushed|both (?:are )?running)\b/i.test(conclusion)
  );
}

export interface Turn extends Place {
  readonly prompt: string;
  /** What the prompt asks for, in a line; empty when it only answers. */
  asks: string;
  /** What the user chose in it first, with the question. */
  chose: string;
  calls: number;
  readonly files: Set<string>;
  /** A call other than an edit, a check or a look has ended well. */
  acted: boolean;
  committed: boolean;
  /** The last one that says more than what comes next. */
  reply: Reply | null;
  /** A call came after the last reply. */
  isOpen: boolean;
  /** The title of the plan that its last call showed to the user, who may have taken it elsewhere. */
  plan: Reply | null;
}

/**
 * Nothing came of it, and the next one asks for something of its own, or says it in other words: a hook or the user stopped it. Two that
 * come together have waited in a queue.
 */
export function isPassedOver({ calls, reply, prompt, ts }: Turn, next: Turn | undefined): boolean {
  if (calls > 0 || reply !== null || next === undefined) return false;
  if (isSentAgain(prompt, next.prompt)) return true;
  const isHeard = next.calls > 0 || next.reply !== null;
  const isQueued = Date.parse(next.ts) - Date.parse(ts) < queuedMs;
  return isHeard && next.asks !== '' && !isQueued && !continues.test(next.prompt);
}

const queuedMs = 1_000;

/** Whether most words of a prompt are in the next one. */
function isSentAgain(prompt: string, next: string): boolean {
  const words = prompt.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const later = new Set<string>(next.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  const lost = words.filter((word) => !later.has(word));
  const again = words.length - lost.length;
  // Another number is another thing.
  return again >= sameWordsMin && again >= words.length * sameShare && !lost.some((word) => /\d/.test(word));
}

const sameWordsMin = 4;
const sameShare = 0.75;

/** `and paint it red`, `only on weekdays`, sent behind a prompt that waits. */
const continues =
  /^\W*(?:and|but|oh|or|plus|then|with|yes|ps|by the way|btw|only|not|never|use|make sure|do(?:n['\u2019]t| not))\b|\b(?:also|as well|too)\b/i;

/** Its last words are said in the middle of the work, not at its end. */
export function isUnderway({ reply, isOpen }: Turn): boolean {
  return (
    reply !== null && (reply.text.trimEnd().endsWith(':') || (isOpen && reply.text.length < closingCharsMin))
  );
}

const closingCharsMin = 400;

/** What its last reply reports; null for words in the middle of the work. */
export function saysOf(turn: Turn): Said | null {
  const { reply } = turn;
  const text = reply === null || isUnderway(turn) ? '' : saidIn(reply);
  return reply === null || text === '' ? null : { seq: reply.seq, text };
}
