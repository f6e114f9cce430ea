import { conclusionIn, nextStepsIn, reportIn } from '../talk/index.ts';
import type { Outcome } from './account.ts';
import { isChore, whole } from './goal.ts';
import type { Turn } from './turn.ts';

const outcomeCharsMax = 380;
const reportCharsMax = 480;
const shortOutcomeCharsMax = 170;

/**
 * All changes that the last report lists; of a reply without a list its conclusion, in whole sentences. Of the last turn that did work:
 * one that left a file changed (`isChanged`), or acted otherwise and says so; else of the last that says something.
 */
export function outcomeOf(turns: readonly Turn[], isChanged: (path: string) => boolean): Outcome | null {
  const told = turns.filter(({ reply }) => reply !== null && !reply.isCourtesy);
  const telling = told.filter(({ prompt, reply }) =>
    isChore(prompt)
      ? reportIn(reply?.text ?? '', reportCharsMax) !== ''
      : says(conclusionIn(reply?.text ?? '', outcomeCharsMax)),
  );
  const worked = ({ files }: Turn): boolean => [...files].some(isChanged);
  const last =
    told.findLast(
      (turn) => !isChore(turn.prompt) && (worked(turn) || (turn.acted && telling.includes(turn))),
    ) ??
    telling.at(-1) ??
    told.findLast(({ prompt }) => !isChore(prompt)) ??
    told.at(-1);
  if (last?.reply == null) return null;
  const { seq, ts, text } = last.reply;
  // What is left to do is no part of what came out.
  const left = nextStepsIn(text);
  const inside = (max: number, listMax: number): string =>
    reportIn(text, listMax) || conclusionIn(text, max, left);
  const long = inside(outcomeCharsMax, reportCharsMax);
  const short = whole((max) => inside(max, max), shortOutcomeCharsMax, long);
  return long === '' ? null : { seq, ts, text: long, short, request: last.seq };
}

/** A short conclusion says little more than that it is done, and the commits have a line of their own. */
function says(conclusion: string): boolean {
  return conclusion.length >= sayingCharsMin && !/^(?:committed|pushed)\b/i.test(conclusion);
}

const sayingCharsMin = 40;
