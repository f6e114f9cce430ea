import path from 'node:path';
import { isRemark, onlyAnswers, onlyStates, requestIn, spokenIn } from '#reading/talk';
import { oneLine } from '#reading/text';
import type { Outcome, Request, Said } from './account.ts';
import type { Files } from './files.ts';
import { asksMore, beginsWork, goesAhead, isChore } from './goal.ts';
import { isAbout } from './steps.ts';
import { isPassedOver, saysOf, type Turn } from './turn.ts';

const lastCharsMax = 500;
const sameChars = 60;

/** A request with the turns that work on it, its own first. */
export interface Asked {
  readonly turn: Turn;
  readonly turns: Turn[];
}

/** What was asked, each with the turns that follow it. One that the next says again is left out. */
export function askedIn(all: readonly Turn[]): readonly Asked[] {
  const asked: Asked[] = [];
  for (const [at, turn] of all.entries()) {
    if (isPassedOver(turn, all[at + 1])) continue;
    const last = asked.at(-1);
    if (last !== undefined && takesUp(turn, last.turns)) asked.push({ turn, turns: [turn] });
    else if (turn.asks === '' || isRemark(turn.prompt)) (resumedBy(turn, asked) ?? last)?.turns.push(turn);
    else if (last !== undefined && (isPassingRemark(turn) || goesOn(turn, asked))) last.turns.push(turn);
    else if (last !== undefined && isSame(turn, last.turn))
      asked.splice(-1, 1, { turn, turns: [...last.turns, turn] });
    else asked.push({ turn, turns: [turn] });
  }
  return asked;
}

export function requestsOf(asked: readonly Asked[], files: Pick<Files, 'isTouched' | 'undone'>): Request[] {
  const undone = files.undone(workedFor(asked));
  return asked.map((one) => {
    const { turn, turns } = one;
    return {
      ...{ seq: turn.seq, text: turn.asks || oneLine(turn.prompt, proposalCharsMax), turns: turns.length },
      calls: turns.reduce((sum, { calls }) => sum + calls, 0),
      files: [...pathsOf(turns)].filter((file) => files.isTouched(file, turn.at)).length,
      isUndone: undone.has(one),
      says: lastSaid(turns.filter((each) => !isAside(each))) ?? lastSaid(turns),
    };
  });
}

/** Gives the request for which the session worked at a time. */
function workedFor(asked: readonly Asked[]): (then: number) => Asked | undefined {
  const begun = asked.flatMap((one) => one.turns.map(({ at }) => ({ at, one }))).sort((a, b) => a.at - b.at);
  return (then) => begun.findLast(({ at }) => at <= then)?.one;
}

/** The request for which most files were changed, of those that say what came of them; of equals the last one. */
export function mainOf(requests: readonly Request[], other: Request | undefined): Request | undefined {
  return requests
    .filter((one) => one === other || (one.says !== null && !one.isUndone))
    .reduce((main, one) => (main === undefined || one.files >= main.files ? one : main), other);
}

/** With what came of the main request, where this is the outcome of a far smaller one, and does not say that again. */
export function withMain(
  outcome: Omit<Outcome, 'main'> | null,
  requests: readonly Request[],
  asked: readonly Asked[],
  files: Pick<Files, 'isMostlyOf'>,
): Outcome | null {
  if (outcome === null) return null;
  const alone = { ...outcome, main: null };
  const own = requests.find(({ seq }) => seq === outcome.request);
  // A summary has it all.
  if (own === undefined || /\bsummar/i.test(own.text)) return alone;
  const main = mainOf(requests, own);
  const least = own.files === 0 ? 2 : Math.max(mainFilesMin, 2 * own.files);
  if (main?.says == null || main.files < least) return alone;
  const { text } = main.says;
  if (text === '' || isHollow.test(text) || isAbout(outcome.text, text)) return alone;
  const one = asked.find(({ turn }) => turn.seq === main.seq);
  const named = [...pathsOf(one?.turns ?? [])].filter((file) => text.includes(path.basename(file)));
  const worked = workedFor(asked);
  const isKept = named.every((file) => files.isMostlyOf(file, (then) => worked(then) === one));
  return isKept ? { ...outcome, main: main.says } : alone;
}

function pathsOf(turns: readonly Turn[]): Set<string> {
  return new Set(turns.flatMap(({ files }) => [...files]));
}

const mainFilesMin = 3;
/** It says what will be done, or names nothing. */
const isHollow = /\bwill\b|\beverything\b/i;

/** It says the request before again. */
function isSame({ asks }: Turn, before: Turn): boolean {
  return before.asks !== '' && asks.startsWith(before.asks.slice(0, sameChars));
}

/** The work that goes on behind `session resumed`; what was only asked in between is answered. */
function resumedBy({ prompt, files }: Turn, asked: readonly Asked[]): Asked | undefined {
  const isResumed = files.size > 0 && resumes.test(prompt);
  return isResumed ? asked.findLast(({ turns }) => turns.some((turn) => turn.files.size > 0)) : undefined;
}

const resumes =
  /^(?:ok(?:ay)?[,. ]+)?(?:(?:the )?session (?:is |was )?re(?:sumed|started)|i(?:['’]m| am) back|resumed|restarted)\b.{0,30}$/i;

/** It goes on with the request before. One that was only talked about may be a detail of what begins now. */
function goesOn({ prompt, files }: Turn, asked: readonly { readonly turns: readonly Turn[] }[]): boolean {
  const isBegun = asked.length < 2 || asked.at(-1)?.turns.some((turn) => turn.files.size > 0);
  return goesAhead(prompt) && (isBegun || files.size === 0 || !beginsWork(prompt));
}

/** Begins what was proposed behind finished work: `go ahead with your suggestion`. */
function takesUp({ prompt, files }: Turn, before: readonly Turn[]): boolean {
  if (files.size === 0 || prompt.length > proposalCharsMax || !proposal.test(prompt)) return false;
  const worked = before.findLastIndex((turn) => turn.files.size > 0);
  return worked >= 0 && before.slice(worked).some(({ committed }) => committed);
}

const proposalCharsMax = 90;
const proposal =
  /(?<!\p{L})(?:suggest|propos|recommend|your (?:advice|idea)|vorschl[aä]g|empfehl|sugeren|sugier|propuest|recomend|recommand|sugest|önerin?|предлож|рекоменд)|建议|提案|提议|おすすめ|제안|추천/iu;

/** A remark on the way, for which nothing was changed. */
function isPassingRemark({ prompt, files }: Turn): boolean {
  return files.size === 0 && onlyStates(prompt);
}

/** What is said to it is no answer to the request. */
function isAside({ prompt, files }: Turn): boolean {
  return isChore(prompt) || (files.size === 0 && isRemark(prompt));
}

/** What the last reply says, unless the work goes on behind it. */
function lastSaid(turns: readonly Turn[]): Said | null {
  const last = turns.findLast(({ reply }) => reply !== null);
  return last === undefined ? null : saysOf(last);
}

/** The last prompt that asks for something: not an answer, nor a commit. */
export function lastRequest(all: readonly Turn[]): Said | null {
  const says = (turn: Turn): boolean =>
    turn.prompt !== '' && !onlyAnswers(turn.prompt) && !isRemark(turn.prompt) && !isPassingRemark(turn);
  const found =
    all.findLast((turn, at) => (asksMore(turn.prompt) || takesUp(turn, all.slice(0, at))) && says(turn)) ??
    all.findLast((turn) => !isChore(turn.prompt) && !goesAhead(turn.prompt) && says(turn));
  const text = found === undefined ? '' : requestIn(spokenIn(found.prompt), lastCharsMax);
  return found === undefined || text === '' ? null : { seq: found.seq, text };
}
