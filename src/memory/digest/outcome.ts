import { conclusionIn, isCourtesy } from '../talk/index.ts';
import { isChore } from './goal.ts';
import type { SessionTalk } from './talk.ts';

/** The conclusion of the last reply that has one, in whole sentences. That to a chore such as a commit counts when there is no other. */
export function outcomeOf(talk: SessionTalk, max: number): string {
  const turns = talk.turns().filter(({ reply }) => reply !== '' && !isCourtesy(reply));
  const last =
    turns.findLast(({ prompt, reply }) => !isChore(prompt) && reply.length >= replyCharsMin) ?? turns.at(-1);
  return last === undefined ? '' : conclusionIn(last.reply, max);
}

/** A shorter reply says little more than that it is done. */
const replyCharsMin = 60;
