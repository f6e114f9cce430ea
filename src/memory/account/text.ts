import { clip, listed } from '#reading/text';
import type { Decision, SessionAccount, Standing } from './account.ts';
import { changedLine, lookedLine, ranLine } from './changed.ts';
import { endedLine, nothingAsked } from './ended.ts';
import { failedLine } from './failed.ts';
import { decisionWords, goalWords, outcomeWords, quoted } from './words.ts';

export const digestCharsMax = 1_600;

/**
 * The account of a session in at most ten lines and `digestCharsMax` characters. Empty parts are left out; a long account shortens its
 * lists alike.
 */
export function accountText(account: SessionAccount, standing: Standing = nothingAsked): string {
  const drafts = shares.map((share) => linesOf(account, standing, share).join('\n'));
  const text = drafts.find((draft) => draft.length <= digestCharsMax) ?? drafts.at(-1) ?? '';
  return clip(text, digestCharsMax);
}

/** Share of its space that each list may use, tried in order. */
const shares = [1, 0.8, 0.65, 0.5, 0.4, 0.25, 0.1];

function linesOf(account: SessionAccount, standing: Standing, share: number): string[] {
  const room = (chars: number): number => Math.floor(chars * share);
  const isIdle = account.filesCount === 0;
  const commits = account.commits.map(({ text }) => quoted(text, 100));
  return [
    ['Goal', clip(goalWords(account), Math.max(room(900), 320))],
    ['Then', clip(account.last?.text ?? '', 320)],
    ['Outcome', clip(outcomeWords(account.outcome), Math.max(room(900), 380))],
    ['Changed', changedLine(account, room(400))],
    ['Looked at', isIdle ? lookedLine(account, room(380)) : ''],
    ['Ran', isIdle ? ranLine(account, room(200)) : ''],
    ['Committed', listed(commits, room(300), ', ', 4)],
    ['Decided', decidedLine(account, room(420))],
    ['Failed', failedLine(account, room(400))],
    ['Ended', endedLine(account, standing, room(240))],
  ].flatMap(([label, said]) => (said === '' ? [] : [`${label}: ${said}`]));
}

/** Whole ones: a decision that is cut in its middle may say its opposite. */
function decidedLine({ decided }: SessionAccount, max: number): string {
  const isWords = ({ by }: Decision): boolean => by === 'words';
  const order = [...decided.filter((one) => !isWords(one)), ...decided.filter(isWords).reverse()];
  const words = order.map(decisionWords).filter(({ length }) => length <= max);
  return listed(words, max, '; ', decidedMax);
}

const decidedMax = 9;
