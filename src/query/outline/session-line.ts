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
  if (said === '' && came === '' && later === null) return [];
  // What a goal says already is not said again.
  const own = came === '' || said.startsWith(came) ? said : `${said} → ${came}`;
  const then = later === null ? '' : `“${oneLine(later.asked, askedCharsMax)}” → ${later.came}`;
  const text = then === '' ? own : `${own.replace(/[.]$/, '')}; ${later?.when} ${then}`;
  const shorter = [then, title || goal?.short || said].filter((form) => form !== '' && form !== text);
  return [{ id, ts, author, text, shorter }];
}

interface Came {
  /** Of the goal. */
  readonly came: string;
  /** Of another request, behind that request. */
  readonly later: { readonly when: string; readonly asked: string; readonly came: string } | null;
}

/** Of an older session one of both: of the goal, unless that was only talked about and the work came with another request. */
function cameOf({ goal, outcome, requests }: SessionAccount, isLast: boolean): Came {
  const text = (isLast ? '' : outcome?.short) || (outcome?.text ?? '');
  const own = requests.find(({ seq }) => seq === goal?.seq);
  const other = requests.findLast(({ seq }) => outcome !== null && seq <= outcome.request);
  if (goal === null || own === other || (other === undefined && text !== ''))
    return { came: text, later: null };
  const laterThan = ({ seq, text: asked }: Request, came: string): Came['later'] => ({
    ...{ when: seq < goal.seq ? 'before that' : 'then', asked, came },
  });
  const said = own?.says?.text ?? '';
  if (isLast) return { came: said, later: other === undefined ? null : laterThan(other, text) };
  if (own !== undefined && own.files > 0 && said !== '') return { came: said, later: null };
  const main = mainOf(requests, other);
  const came = main?.seq === other?.seq ? text : (main?.says?.text ?? '');
  if (main !== undefined && came !== '' && (main.files > 0 || said === ''))
    return { came: '', later: laterThan(main, came) };
  return { came: said, later: null };
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
