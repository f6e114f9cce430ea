import { clip, listed } from '../../calls/text/index.ts';
import { changedLine, lookedLine, ranLine } from './changed.ts';
import { endedLine } from './ended.ts';
import { failedLine } from './failed.ts';
import { goalOf } from './goal.ts';
import { quoted } from './quotes.ts';
import type { SessionTally } from './tally.ts';
import { termsOf } from './terms.ts';

export const digestCharsMax = 1_200;

export interface Account {
  /** At most eight lines and `digestCharsMax` characters. */
  readonly text: string;
  readonly terms: string;
}

/** The account of a session. Empty parts are left out; a long account shortens all parts alike. */
export function compose(prompts: readonly string[], facts: SessionTally): Account {
  const drafts = shares.map((share) => linesOf(prompts, facts, share).join('\n'));
  const text = drafts.find((draft) => draft.length <= digestCharsMax) ?? drafts.at(-1) ?? '';
  return { text: clip(text, digestCharsMax), terms: termsOf(prompts, facts) };
}

/** Share of its space that each part may use, tried in order. */
const shares = [1, 0.8, 0.65, 0.5, 0.4];

function linesOf(prompts: readonly string[], facts: SessionTally, share: number): string[] {
  const goal = goalOf(prompts, room(260, share));
  const isIdle = facts.files.size === 0;
  const commits = facts.commits.map((subject) => quoted(subject, 100));
  return [
    ['Goal', goal?.goal ?? ''],
    ['Then', goal?.later ?? ''],
    ['Changed', changedLine(facts, room(400, share))],
    ['Looked at', isIdle ? lookedLine(facts, room(380, share)) : ''],
    ['Ran', isIdle ? ranLine(facts, room(200, share)) : ''],
    ['Committed', listed(commits, room(300, share), ', ', 4)],
    ['Decided', decidedLine(facts, room(380, share))],
    ['Failed', failedLine(facts, room(400, share))],
    ['Ended', endedLine(facts, room(240, share))],
  ].flatMap(([label, said]) => (said === '' ? [] : [`${label}: ${said}`]));
}

function room(chars: number, share: number): number {
  return Math.floor(chars * share);
}

/** The answers and plans of the user, and their words on refusing a call. */
function decidedLine({ answers, plans, refusals }: SessionTally, max: number): string {
  const accepted = plans.map(
    (plan) => `plan ${quoted(plan.replace(/^Plan\s*[:\u2013\u2014-]\s*/i, ''), 100)}`,
  );
  const chosen = answers.map(({ question, answer }) => `${quoted(question, 90)} → ${quoted(answer, 90)}`);
  const said = refusals.filter((words) => words !== '').map((words) => quoted(words, 110));
  const refused = said.length === 0 ? '' : `on refusing: ${listed(said, Math.floor(max / 2), ', ', 3)}`;
  const rest = refused === '' ? max : max - refused.length;
  return [listed([...accepted, ...chosen], Math.max(rest, 120), '; ', 5), refused]
    .filter((part) => part !== '')
    .join('; ');
}
