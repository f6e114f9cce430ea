import { shortId } from './words.ts';

/** The digest of a session by the labels of its lines. */
export interface Account {
  readonly goal: string;
  readonly outcome: string;
  readonly changed: string;
  readonly commits: readonly string[];
  readonly decided: string;
  readonly failed: string;
  readonly ended: string;
  readonly lookedAt: string;
}

export const endings = ['failing', 'unfinished', 'committed', 'changed', 'looked'] as const;
/** How a session ended; null while that is not known. */
export type Ending = (typeof endings)[number];

export const endingNames: Readonly<Record<Ending, string>> = {
  failing: 'check failing',
  unfinished: 'unfinished',
  committed: 'committed',
  changed: 'changed, no commit',
  looked: 'no edit seen',
};

export function accountOf(digest: string | null): Account {
  const lines = new Map<string, string>();
  for (const line of (digest ?? '').split('\n')) {
    const [, label, said] = /^([A-Z][a-z ]{2,10}): (.*)$/.exec(line) ?? [];
    if (label !== undefined && said !== undefined) lines.set(label, said);
  }
  const of = (label: string): string => lines.get(label) ?? '';
  return {
    goal: of('Goal'),
    outcome: of('Outcome'),
    changed: of('Changed'),
    commits: [...of('Committed').matchAll(/“([^”]*)”/g)].map(([, title = '']) => title),
    decided: of('Decided'),
    failed: of('Failed'),
    ended: of('Ended'),
    lookedAt: of('Looked at') || of('Ran'),
  };
}

export function endingOf(account: Account): Ending | null {
  const { ended, changed, commits } = account;
  if (/last check .* failed$/.test(ended) || openFailures(account).length > 0) return 'failing';
  if (openWork(ended) !== '') return 'unfinished';
  if (commits.length > 0 || publishedBy(account).includes(committedByReply)) return 'committed';
  if (changed !== '') return 'changed';
  return 'looked';
}

/** What was left to do: open steps of the plan, and files edited after a commit. */
export function openWork(ended: string): string {
  const parts = ended
    .split('; ')
    .filter((part) => /^\d+ of \d+ steps? done|edited after the last commit/.test(part));
  return parts.join('; ');
}

/** All that was left: open work, and changes that no commit holds, or that none is known to hold. */
export function leftOpen(account: Account): string {
  const parts = account.ended
    .split('; ')
    .filter((part) => / changed(?:, no commit seen| and not committed$)| below \.git changed$/.test(part));
  const left = [openWork(account.ended), ...parts].filter((part) => part !== '').join('; ');
  return left === '' && endingOf(account) === 'changed' ? 'no commit seen' : left;
}

/** What no commit of the list shows: `pushed`, `pull request opened`, a commit that only a reply names. */
export function publishedBy({ ended }: Account): string[] {
  return ended.split('; ').filter((part) => published.includes(part));
}

const committedByReply = 'committed, as a reply says';
const published = [committedByReply, 'pushed', 'pull request opened'];

/** The checks of a session that nothing fixed, each with its complaint. */
export function openFailures({ failed }: Account): string[] {
  return failed
    .split(/; (?=`)/)
    .filter((part) => part.includes(stillFailing))
    .map((part) => part.replace(stillFailing, '').replace(/; tests .*$/, ''));
}

const stillFailing = ' (still failing)';

/** The headline of a session: its commit, else what was asked. Of several commits the first, as later ones are often details; a plan has a title. */
export function titleOf({ commits, goal, lookedAt }: Account): string {
  const [plan] = goal.split(planMark);
  if (commits.length > 1 && plan !== undefined && plan !== goal) return plan;
  return commits[0] ?? (plan || lookedAt);
}

/** The headline of a session, also of one that has none. */
export function nameOf(account: Account, sessionId: string): string {
  return titleOf(account) || `Session ${shortId(sessionId) || 'without an id'}`;
}

const planMark = / \(plan\):/;

/** The files with that name, or a path that ends so, that any of the sessions has changed; the extension may be missing. */
export function filesNamed(query: string, digests: readonly (string | null)[]): string[] {
  const wanted = query.trim().toLowerCase();
  if (wanted.length < nameCharsMin || /\s/.test(wanted)) return [];
  const names = new Set(digests.flatMap((digest) => filesIn(accountOf(digest).changed).names));
  return [...names].filter((name) => {
    const path = `/${name.toLowerCase()}`;
    return path.endsWith(`/${wanted}`) || path.replace(/(?<=[^/])\.[^/]*$/, '').endsWith(`/${wanted}`);
  });
}

const nameCharsMin = 3;

/** The names of the files that the line of changes gives. */
export function filesIn(changed: string): { names: string[]; count: number } {
  const [, total, rest = changed] = /^(\d+) files: (.*)$/s.exec(changed) ?? [];
  const names = rest
    .replace(/ \([^)]*\)/g, '')
    .replace(/ and \d+ more.*$/s, '')
    .split(/, |; removed |^removed /)
    .filter((name) => name !== '');
  return { names, count: total === undefined ? (changed === '' ? 0 : 1) : Number(total) };
}
