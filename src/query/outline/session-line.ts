import { changedLine, type Request, type SessionAccount, titleOf } from '../../memory/account/index.ts';
import { counted, oneLine } from '../../reading/text/index.ts';
import type { Line } from './line.ts';
import type { SessionView } from './project.ts';

const askedCharsMax = 120;
const changedQuartersMax = 100;

/** What was wanted in a session and what came of it; the last session (`at` 0) in more words. None for one of which nothing is known. */
export function sessionLine(view: SessionView, at: number): readonly Line[] {
  const { id, ts, author, account } = view;
  const { goal } = account;
  const asked = (at === 0 ? goal?.text : goal?.short) ?? '';
  const title = goal?.title ?? '';
  const changed = changedLine(account, changedQuartersMax);
  const work = workWords(account.commits, changed);
  const request = [title, title === '' || at === 0 ? asked : ''].filter((part) => part !== '').join(': ');
  const isUntold = account.commits.length === 0 && changed !== '';
  const said = request || (isUntold ? `Changed: ${changed}` : titleOf(account));
  const { came: outcome, later } = cameOf(account, at === 0);
  const came = outcome || (request === '' || later.length > 0 ? '' : work);
  if (said === '' && came === '' && later.length === 0) return [];
  // What a goal says already is not said again.
  const own = came === '' || said.startsWith(came) ? said : `${said} → ${came}`;
  const then = later.map(
    ({ when, asked: words, came: answer }) => `${when} “${oneLine(words, askedCharsMax)}” → ${answer}`,
  );
  const text =
    then.length === 0
      ? own
      : [own, ...then]
          .map((part, n, all) => (n < all.length - 1 ? part.replace(/[.]$/, '') : part))
          .join('; ');
  const last = then.at(-1)?.replace(/^[^“]*/, '') ?? '';
  const wanted = title || goal?.short || said;
  // A long request is shown by its beginning before what came of it is left out.
  const brief = own === said ? '' : `${oneLine(wanted, askedCharsMax)} → ${came}`;
  const least = request === '' || work === '' ? wanted : `${oneLine(wanted, askedCharsMax)} → ${work}`;
  const older = at === 0 ? (sessionLine(view, 1)[0]?.text ?? '') : '';
  const shorter = [older, last, brief, least, wanted].filter((form) => form !== '' && form !== text);
  return [{ id, ts, author, text, shorter }];
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

/**
 * Of an older session one of both: of the goal, unless that was only talked about and the work came with another request. Of the last
 * one both.
 */
function cameOf({ goal, outcome, requests }: SessionAccount, isLast: boolean): Came {
  const short = outcome?.short || (outcome?.text ?? '');
  const text = isLast ? (outcome?.text ?? '') : short;
  const own = requests.find(({ seq }) => seq === goal?.seq);
  const other =
    requests.find(({ seq }) => seq === outcome?.request) ??
    requests.findLast(({ seq }) => outcome !== null && seq <= outcome.request);
  if (goal === null || own === other || (other === undefined && text !== ''))
    return { came: text, later: [] };
  // What was typed while the assistant worked is stored after it: their order is that of time.
  const isBefore = (one: Request): boolean =>
    own === undefined ? one.seq < goal.seq : requests.indexOf(one) < requests.indexOf(own);
  const laterThan = (one: Request, came: string): Later => ({
    ...{ when: isBefore(one) ? 'before that' : 'then', asked: one.text, came },
  });
  const said = own?.says?.text ?? '';
  const isTalk = own === undefined || own.files === 0 || said === '';
  // An answer that the user corrected holds no more.
  const next = isTalk ? undefined : requests.slice(requests.indexOf(own) + 1).find(({ files }) => files > 0);
  const right = next === other ? short : (next?.says?.text ?? '');
  if (next !== undefined && right !== '' && corrects.test(next.text)) {
    const last = other === undefined || other === next || !isLast ? [] : [laterThan(other, short)];
    return { came: '', later: [laterThan(next, right), ...last] };
  }
  const main = mainOf(requests, other);
  const came = main?.seq === other?.seq ? text : (main?.says?.text ?? '');
  if (isLast) {
    const isMore = isTalk && main !== undefined && main !== other && main.files > 0 && came !== '';
    const words = isMore ? short : text;
    const last = other === undefined ? [] : [laterThan(other, words)];
    return isMore ? { came: '', later: [laterThan(main, came), ...last] } : { came: said, later: last };
  }
  // Work of which nothing was said has its outcome in that of the session.
  const isWork = requests.some(({ files }) => files > 0);
  if (isTalk && main !== undefined && came !== '' && (isWork || said === ''))
    return { came: '', later: [laterThan(main, came)] };
  return { came: said, later: [] };
}

const corrects =
  /\bshould(?: not|n['’]?t)\b|\binstead\b|\b(?:is|was|are) wrong\b|\bnot what i\b|^(?:no|wait)\b/i;

/** The request for which most files were changed, of those that say what came of them; of equals the last one. */
function mainOf(requests: readonly Request[], other: Request | undefined): Request | undefined {
  return requests
    .filter((one) => one === other || one.says !== null)
    .reduce((main, one) => (main === undefined || one.files >= main.files ? one : main), other);
}

/** What its calls did. */
function workWords([first, ...others]: SessionAccount['commits'], changed: string): string {
  if (first === undefined) return changed === '' ? '' : `changed ${changed}`;
  const more = others.length > 0 ? ` and ${counted(others.length, 'more commit')}` : '';
  return `committed “${oneLine(first.text, askedCharsMax)}”${more}`;
}
