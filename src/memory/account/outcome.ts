import { conclusionIn, nextStepsIn, outcomeIn, reportIn } from '#reading/talk';
import type { Outcome, Said } from './account.ts';
import { commitsOnly, whole } from './goal.ts';
import {
  hasOutcome,
  isMore,
  isThanks,
  isUnderway,
  outcomeCharsMax,
  reportCharsMax,
  type Turn,
} from './turn.ts';

const shortOutcomeCharsMax = 170;
const choreCallsMax = 30;
const choreFilesMin = 2;

/**
 * All changes that the last report lists; of a reply without a list its conclusion, in whole sentences. Of the last turn that did work:
 * one that left a file changed (`isChanged`), or acted otherwise and says so; else of the last that says something. `asked`: the last
 * request.
 */
export function outcomeOf(
  turns: readonly Turn[],
  isChanged: (path: string) => boolean,
  asked: Said | null,
): Omit<Outcome, 'main'> | null {
  const isReplied = (turn: Turn): boolean =>
    turn.reply !== null && !isThanks(turn.reply) && !isUnderway(turn);
  // Reads the whole reply: only the last turns are asked.
  const says = (turn: Turn): boolean => isReplied(turn) && turn.reply !== null && hasOutcome(turn.reply);
  const lastOf = (...are: readonly ((turn: Turn) => boolean)[]): Turn | undefined =>
    turns.findLast((turn) => are.every((is) => is(turn)));
  const changed = ({ files }: Turn): string[] => [...files].filter(isChanged);
  const isLog = (path: string): boolean => /(?:^|\/)change-?log\b[^/]*$/i.test(path);
  const hasMore = turns.some((turn) => changed(turn).some((path) => !isLog(path)));
  // A line in the changelog is part of the commit.
  const isChore = (turn: Turn): boolean =>
    commitsOnly(turn.prompt) || (hasMore && turn.files.size > 0 && [...turn.files].every(isLog));
  const isOther = (turn: Turn): boolean =>
    !isChore(turn) && !(turn.committed && turn.asks === '' && turn.files.size === 0);
  // Behind a commit may come work that no prompt asked for, and before it repairs that are reported.
  const repaired = (turn: Turn): boolean => changed(turn).length >= choreFilesMin && says(turn);
  const worked = (turn: Turn): boolean =>
    (isOther(turn) || turn.calls > choreCallsMax || repaired(turn)) &&
    (turn.acted || changed(turn).length > 0);
  const since = turns.findLastIndex(worked);
  const after = turns.slice(Math.max(0, since)).filter(says);
  // A commit has a line of its own.
  const last =
    after.findLast(worked) ??
    after.findLast(isOther) ??
    after.at(-1) ??
    lastOf(worked, says) ??
    lastOf(isOther, says) ??
    lastOf(says) ??
    lastOf(isOther, isReplied) ??
    lastOf(isReplied);
  if (last?.reply == null) return null;
  const { seq, ts, text } = last.reply;
  // What is left to do is no part of what came out.
  const left = nextStepsIn(text);
  const inside = (max: number, listMax: number): string =>
    reportIn(text, listMax) || outcomeIn(text, max, left);
  // A few words that all is well are no outcome.
  const least = text.length < reportCharsMax ? '' : conclusionIn(text, outcomeCharsMax);
  const long = inside(outcomeCharsMax, reportCharsMax) || least;
  const short = whole((max) => inside(max, max), shortOutcomeCharsMax, long);
  // A commit leaves the outcome what it was.
  const isOpen = (turn: Turn): boolean => (turn.calls > 0 || turn.reply === null) && !isChore(turn);
  const request = turns.findIndex((turn) => turn.seq === asked?.seq && isOpen(turn));
  const isEarlier = turns.indexOf(last) < Math.max(since, request);
  const later = isEarlier && since >= request ? concluded(turns[since]) : null;
  if (later !== null) return later;
  return long === '' ? null : { seq, ts, text: long, short, request: last.seq, isEarlier };
}

/** The words with which a turn that did work ended, where these report nothing: `All threads are answered.` */
function concluded(turn: Turn | undefined): Omit<Outcome, 'main'> | null {
  if (turn?.reply == null || turn.isOpen || isThanks(turn.reply) || isUnderway(turn)) return null;
  const { seq, ts, text: reply } = turn.reply;
  const text = conclusionIn(reply, outcomeCharsMax);
  if (!isMore(text)) return null;
  return { seq, ts, text, short: text, request: turn.seq, isEarlier: false };
}
