import { changedLine, lookedLine, mainOf, type Request, type SessionAccount, titleOf } from '#memory/account';
import { counted, oneLine } from '#reading/text';
import type { Line } from './line.ts';
import type { SessionView } from './project.ts';

const askedCharsMax = 120;
const changedQuartersMax = 100;
const lookedCharsMax = 160;

/** What was wanted in a session and what came of it; the last session (`at` 0) in more words. None for one of which nothing is known. */
export function sessionLine(view: SessionView, at: number): readonly Line[] {
  const { id, ts, author, account } = view;
  const isLast = at === 0;
  const changed = changedLine(account, changedQuartersMax);
  const work = workWords(account, changed);
  const request = requestWords(account, isLast);
  const isUncommitted = account.commits.length === 0 && changed !== '';
  const title = isUncommitted ? `Changed: ${changed}` : titleOf(account);
  const said = request || (account.commits.length === 0 && !isUncommitted ? work : title) || title;
  const { came: outcome, later } = cameOf(account, isLast);
  const came = outcome || (request === '' || later.length > 0 ? '' : work);
  if (said === '' && came === '' && later.length === 0) return [];
  // What a goal says already is not said again.
  const own = came === '' || said.startsWith(came) ? said : `${said} → ${came}`;
  const then = later.map(
    ({ when, asked: words, came: answer }) => `${when} “${oneLine(words, askedCharsMax)}” → ${answer}`,
  );
  const text = [own, ...then]
    .map((part, n, all) => (n < all.length - 1 ? part.replace(/[.]$/, '') : part))
    .join('; ');
  const wanted = account.goal?.title || account.goal?.short || said;
  const shorter = [
    ...(isLast ? sessionLine(view, 1).map((line) => line.text) : []),
    ...then.slice(-1).map((part) => part.replace(/^[^“]*/, '')),
    // A long request is shown by its beginning before what came of it is left out.
    own === said ? '' : `${oneLine(wanted, askedCharsMax)} → ${came}`,
    request === '' || work === '' ? '' : `${oneLine(wanted, askedCharsMax)} → ${work}`,
    wanted,
  ];
  return [{ id, ts, author, text, shorter: shorter.filter((form) => form !== '' && form !== text) }];
}

/** A plan has a title, which is enough for an older session. */
function requestWords({ goal }: SessionAccount, isLast: boolean): string {
  if (goal === null) return '';
  const { title, text, short } = goal;
  if (title === '') return isLast ? text : short;
  return isLast && text !== '' ? `${title}: ${text}` : title;
}

interface Later {
  readonly when: string;
  readonly asked: string;
  readonly came: string;
}

interface Came {
  /** Of the goal. */
  readonly came: string;
  /** Of other requests, behind those. */
  readonly later: readonly Later[];
}

/** What was said of the goal, and which request the outcome answers, where that is another one. */
interface Answered {
  readonly own: Request | undefined;
  readonly other: Request | undefined;
  readonly requests: readonly Request[];
  readonly outcome: { readonly text: string; readonly short: string };
  readonly isLast: boolean;
  readonly then: (one: Request, came: string) => Later;
}

/**
 * Of an older session one of both: of the goal, unless that was only talked about and the work came with another request. Of the last
 * one both.
 */
function cameOf({ goal, outcome, requests }: SessionAccount, isLast: boolean): Came {
  const { text = '', short = '' } = outcome ?? {};
  const whole = isLast ? text : short || text;
  const own = requests.find(({ seq }) => seq === goal?.seq);
  const other = answeredBy(outcome, requests);
  if (goal === null || own === other || (other === undefined && whole !== ''))
    return { came: whole, later: [] };
  // What was typed while the assistant worked is stored after it: their order is that of time.
  const isBefore = (one: Request): boolean =>
    own === undefined ? one.seq < goal.seq : requests.indexOf(one) < requests.indexOf(own);
  const then = (one: Request, came: string): Later => ({
    ...{ when: isBefore(one) ? 'before that' : 'then', asked: one.text, came },
  });
  const answered = { own, other, requests, outcome: { text: whole, short: short || text }, isLast, then };
  // A goal that was answered by words alone may be followed by the work.
  const isTalk = own === undefined || own.files === 0 || own.says === null;
  return isTalk
    ? workOf(answered)
    : (correctedIn(answered, own) ?? { came: saidOf(own), later: lastOf(answered) });
}

/** An answer that the user corrected holds no more: what came of the next request for which files were changed. */
function correctedIn(answered: Answered, own: Request): Came | null {
  const { requests, other, outcome, then } = answered;
  const next = requests.slice(requests.indexOf(own) + 1).find(({ files }) => files > 0);
  const right = next === other ? outcome.short : saidOf(next);
  if (next === undefined || right === '' || !(own.isUndone || corrects.test(next.text))) return null;
  return { came: '', later: [then(next, right), ...(other === next ? [] : lastOf(answered, outcome.short))] };
}

/** Of the last session the outcome is said anyway; work of which nothing was said has its outcome in that of the session. */
function workOf(answered: Answered): Came {
  const { own, other, requests, outcome, isLast, then } = answered;
  const said = saidOf(own);
  const main = mainOf(requests, other);
  const came = main === other ? outcome.text : saidOf(main);
  const isMore = isLast
    ? main !== other && (main?.files ?? 0) > 0
    : said === '' || requests.some(({ files }) => files > 0);
  if (main === undefined || came === '' || !isMore) return { came: said, later: lastOf(answered) };
  return { came: '', later: [then(main, came), ...lastOf(answered, outcome.short)] };
}

function lastOf({ isLast, other, outcome, then }: Answered, words = outcome.text): Later[] {
  return isLast && other !== undefined ? [then(other, words)] : [];
}

function saidOf(request: Request | undefined): string {
  return request?.says?.text ?? '';
}

/** The request that an outcome answers. */
function answeredBy(outcome: SessionAccount['outcome'], requests: readonly Request[]): Request | undefined {
  if (outcome === null) return undefined;
  return (
    requests.find(({ seq }) => seq === outcome.request) ??
    requests.findLast(({ seq }) => seq <= outcome.request)
  );
}

const corrects =
  /\bshould(?: not|n['’]?t)\b|\binstead\b|\b(?:is|was|are) wrong\b|\bnot what i\b|^(?:no|wait)\b/i;

/** What its calls did. */
function workWords(account: SessionAccount, changed: string): string {
  const [first, ...others] = account.commits;
  if (first === undefined) {
    const looked = changed === '' ? lookedLine(account, lookedCharsMax) : '';
    return changed === '' ? looked && `looked at ${looked}` : `changed ${changed}`;
  }
  const more = others.length > 0 ? ` and ${counted(others.length, 'more commit')}` : '';
  return `committed “${oneLine(first.text, askedCharsMax)}”${more}`;
}
