import { changedLine, type Request, type SessionAccount, titleOf } from '../../memory/account/index.ts';
import { oneLine } from '../../reading/text/index.ts';
import type { Line } from './line.ts';
import type { SessionView } from './project.ts';

const askedCharsMax = 120;
const changedQuartersMax = 200;

/** What was wanted in a session and what came of it; the last session (`at` 0) in more words. None for one of which nothing is known. */
export function sessionLine({ id, ts, author, account }: SessionView, at: number): readonly Line[] {
  const { goal } = account;
  const asked = (at === 0 ? goal?.text : goal?.short) ?? '';
  const title = goal?.title ?? '';
  const said =
    [title, title === '' || at === 0 ? asked : ''].filter((part) => part !== '').join(': ') ||
    changedWords(account) ||
    titleOf(account);
  const { came, later } = cameOf(account, at === 0);
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
  // A long request is told by its beginning before what came of it is left out.
  const brief = own === said ? '' : `${oneLine(wanted, askedCharsMax)} → ${came}`;
  const shorter = [last, brief, wanted].filter((form) => form !== '' && form !== text);
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
  const other = requests.findLast(({ seq }) => outcome !== null && seq <= outcome.request);
  if (goal === null || own === other || (other === undefined && text !== ''))
    return { came: text, later: [] };
  const laterThan = ({ seq, text: asked }: Request, came: string): Later => ({
    ...{ when: seq < goal.seq ? 'before that' : 'then', asked, came },
  });
  const said = own?.says?.text ?? '';
  const isTalk = own === undefined || own.files === 0 || said === '';
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

/** The request for which most files were changed, of those that say what came of them; of equals the last one. */
function mainOf(requests: readonly Request[], other: Request | undefined): Request | undefined {
  return requests
    .filter((one) => one === other || one.says !== null)
    .reduce((main, one) => (main === undefined || one.files >= main.files ? one : main), other);
}

/** Of a session of which only the calls are known. */
function changedWords(account: SessionAccount): string {
  const words = account.commits.length > 0 ? '' : changedLine(account, changedQuartersMax);
  return words === '' ? '' : `Changed: ${words}`;
}
