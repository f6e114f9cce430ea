import { clip, listed } from '../../calls/text/index.ts';
import { changedLine, lookedLine, ranLine } from './changed.ts';
import { endedLine } from './ended.ts';
import { failedLine } from './failed.ts';
import { goalOf } from './goal.ts';
import { outcomeOf } from './outcome.ts';
import { quoted } from './quotes.ts';
import type { SessionTalk } from './talk.ts';
import type { SessionTally } from './tally.ts';
import { termsOf } from './terms.ts';

export const digestCharsMax = 1_600;

export interface Account {
  /** At most ten lines and `digestCharsMax` characters. */
  readonly text: string;
  readonly terms: string;
}

/** The account of a session. Empty parts are left out; a long account shortens all parts alike. */
export function compose(talk: SessionTalk, facts: SessionTally): Account {
  const drafts = shares.map((share) => linesOf(talk, facts, share).join('\n'));
  const text = drafts.find((draft) => draft.length <= digestCharsMax) ?? drafts.at(-1) ?? '';
  return { text: clip(text, digestCharsMax), terms: termsOf(talk, facts) };
}

/** Share of its space that each part may use, tried in order. */
const shares = [1, 0.8, 0.65, 0.5, 0.4];

function linesOf(talk: SessionTalk, facts: SessionTally, share: number): string[] {
  const goal = goalOf(talk.prompts(), room(320, share));
  const isIdle = facts.files.size === 0;
  const commits = facts.commits.map((subject) => quoted(subject, 100));
  return [
    ['Goal', goal?.goal ?? ''],
    ['Then', goal?.later ?? ''],
    ['Outcome', outcomeOf(talk, room(380, Math.max(share, 0.8)), room(480, share))],
    ['Changed', changedLine(facts, room(400, share))],
    ['Looked at', isIdle ? lookedLine(facts, room(380, share)) : ''],
    ['Ran', isIdle ? ranLine(facts, room(200, share)) : ''],
    ['Committed', listed(commits, room(300, share), ', ', 4)],
    ['Decided', decidedLine(talk, facts, goal?.goal ?? '', room(420, share))],
    ['Failed', failedLine(facts, room(400, share))],
    ['Ended', endedLine(talk, facts, room(240, share))],
  ].flatMap(([label, said]) => (said === '' ? [] : [`${label}: ${said}`]));
}

function room(chars: number, share: number): number {
  return Math.floor(chars * share);
}

/** The answers and plans of the user, and their words on refusing a call. */
function decidedLine(
  talk: SessionTalk,
  { answers, plans, refusals }: SessionTally,
  goal: string,
  max: number,
): string {
  const accepted = plans.map(
    (plan) => `plan ${quoted(plan.replace(/^Plan\s*[:\u2013\u2014-]\s*/i, ''), 100)}`,
  );
  const chosen = answers.map(({ question, answer }) => `${quoted(question, 90)} → ${quoted(answer, 90)}`);
  const said = refusals.filter((words) => words !== '').map((words) => quoted(words, 110));
  const refused = said.length === 0 ? '' : `on refusing: ${listed(said, Math.floor(max / 2), ', ', 3)}`;
  const rest = refused === '' ? max : max - refused.length;
  const settled = [listed([...accepted, ...chosen], Math.max(rest, 120), '; ', 5), refused];
  const line = settled.filter((part) => part !== '').join('; ');
  // Whole sentences: a decision that is cut in its middle may say its opposite.
  const stated = talk
    .decisions()
    .filter((words) => words.length + 4 <= max - line.length && !goal.includes(words.replace(/[.!]$/, '')));
  return [line, ...statedWithin(stated, max - line.length)].filter((part) => part !== '').join('; ');
}

/** The last of `sentences` that fit, in their order. */
function statedWithin(sentences: readonly string[], max: number): string[] {
  const kept: string[] = [];
  let room = max;
  for (const words of sentences.toReversed()) {
    if (kept.length >= statedMax || words.length + 4 > room) break;
    kept.unshift(`“${words}”`);
    room -= words.length + 4;
  }
  return kept;
}

const statedMax = 5;
