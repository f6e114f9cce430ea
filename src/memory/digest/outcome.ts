import { conclusionIn, isCourtesy, reportIn } from '../talk/index.ts';
import { isChore } from './goal.ts';
import type { SessionTalk } from './talk.ts';

/**
 * All changes that the last report lists; of a reply without a list its conclusion, in whole sentences. A reply to a chore such as a
 * commit counts when it lists changes, or when there is no other.
 */
export function outcomeOf(talk: SessionTalk, max: number, listMax = max): string {
  const turns = talk.turns().filter(({ reply }) => reply !== '' && !isCourtesy(reply));
  const last =
    turns.findLast(({ prompt, reply }) =>
      isChore(prompt) ? reportIn(reply, listMax) !== '' : reply.length >= replyCharsMin,
    ) ?? turns.at(-1);
  return last === undefined ? '' : reportIn(last.reply, listMax) || conclusionIn(last.reply, max);
}

/** A shorter reply says little more than that it is done. */
const replyCharsMin = 60;
