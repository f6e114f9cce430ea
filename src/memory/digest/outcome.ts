import { conclusionIn, isCourtesy, reportIn } from '../talk/index.ts';
import { isChore } from './goal.ts';
import type { SessionTalk } from './talk.ts';

/**
 * All changes that the last report lists; of a reply without a list its conclusion, in whole sentences. Of a session that changed files
 * the last turn that changed some. A reply to a chore such as a commit counts when it lists changes, or when there is no other.
 */
export function outcomeOf(talk: SessionTalk, max: number, listMax = max): string {
  const turns = talk.turns().filter(({ reply }) => reply !== '' && !isCourtesy(reply));
  const telling = turns.filter(({ prompt, reply }) =>
    isChore(prompt) ? reportIn(reply, listMax) !== '' : says(conclusionIn(reply, max)),
  );
  const asked = turns.filter(({ prompt }) => !isChore(prompt));
  const last =
    telling.findLast(({ worked }) => worked) ??
    telling.at(-1) ??
    asked.findLast(({ worked }) => worked) ??
    turns.at(-1);
  return last === undefined ? '' : reportIn(last.reply, listMax) || conclusionIn(last.reply, max);
}

/** A short conclusion says little more than that it is done, and the commits have a line of their own. */
function says(conclusion: string): boolean {
  return conclusion.length >= sayingCharsMin && !/^(?:committed|pushed)\b/i.test(conclusion);
}

const sayingCharsMin = 40;
