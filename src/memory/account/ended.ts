import { clip, counted, listed } from '#reading/text';
import {
  type Check,
  type Ending,
  endWords,
  type OpenNow,
  type SessionAccount,
  type Standing,
} from './account.ts';
import { mergesOnly } from './commits.ts';
import { command, quoted } from './words.ts';

export const nothingAsked: Standing = { uncommitted: [], committed: [] };

export function openNow(
  account: SessionAccount | null,
  standing: Standing = nothingAsked,
): Omit<OpenNow, 'commits'> {
  return {
    uncommitted: standing.uncommitted,
    open: standingParts({ ...standing, committed: [] }, openCharsMax),
    later: standingParts({ ...standing, uncommitted: [] }, openCharsMax),
    ending: account && endingOf(account, standing),
  };
}

const openCharsMax = 200;

/** The state of the work at the end: plan, commits, push, last check, and what no commit has. */
export function endedLine(account: SessionAccount, standing: Standing, max: number): string {
  const { ended, plan } = account;
  const last = lastCheck(account);
  const parts = [
    ended.error === undefined ? '' : `by an API error: ${clip(ended.error.text, Math.floor(max * 0.5))}`,
    plan === null ? '' : planState(plan, Math.floor(max * 0.4)),
    isCommitted(account) ? 'committed after the last edit' : '',
    ended.isPushed ? 'pushed' : '',
    ended.isPullRequest ? 'pull request opened' : '',
    ...standingParts(standing, Math.floor(max * 0.5)),
    last === null ? '' : `last check ${command(last.name, 80)} ${endWords[last.end]}`,
  ];
  return parts.filter((part) => part !== '').join('; ');
}

/** It has commits, and no file was changed after the last one. */
export function isCommitted({ commits, files }: SessionAccount): boolean {
  return commits.length > 0 && !files.some(({ isOpen }) => isOpen);
}

const laterMax = 3;

export function standingParts({ uncommitted, committed }: Standing, max: number): string[] {
  const many = `${counted(filesIn({ committed }), 'file')} committed later in ${committed.length} commits, the last ${committed.at(-1)?.hash}`;
  const later =
    committed.length > laterMax
      ? [many]
      : committed.map(
          ({ hash, subject, files }) =>
            `${counted(files.length, 'file')} committed later in ${hash} ${quoted(subject, 80)}`,
        );
  if (uncommitted.length === 0) return later;
  const names = listed(uncommitted, max, ', ', 3);
  return [...later, `${counted(uncommitted.length, 'file')} not committed (${names})`];
}

function filesIn({ committed }: Pick<Standing, 'committed'>): number {
  return new Set(committed.flatMap(({ files }) => files)).size;
}

/** `2 of 5 steps done, next “...”`; without open steps only that the plan is done. */
function planState({ done, of, open }: NonNullable<SessionAccount['plan']>, max: number): string {
  const [next] = open;
  if (next !== undefined) return `${done} of ${counted(of, 'step')} done, next ${quoted(next, max)}`;
  return done === of ? `plan done (${counted(of, 'step')})` : '';
}

/** Of a failure that was taken back nothing is said. */
export function lastCheck({ checks }: SessionAccount): Check | null {
  return checks
    .filter(({ isMoot }) => !isMoot)
    .reduce<Check | null>(
      (last, check) =>
        last === null || check.ts > last.ts || (check.ts === last.ts && check.seq > last.seq) ? check : last,
      null,
    );
}

/** Whether it failed last, and nothing has passed for it since. */
export function isOpenCheck({ end, isFixed }: Pick<Check, 'end' | 'isFixed'>): boolean {
  return end === 'failed' && !isFixed;
}

/** The open ones first, then the last. */
export function openFirst(one: Check, other: Check): number {
  return (
    Number(isOpenCheck(other)) - Number(isOpenCheck(one)) ||
    other.ts.localeCompare(one.ts) ||
    other.seq - one.seq
  );
}

/** The checks that failed last and were not proven otherwise since. */
export function openChecks({ checks }: Pick<SessionAccount, 'checks'>): readonly Check[] {
  return checks.filter(isOpenCheck);
}

export function endingOf(account: SessionAccount, standing: Standing = nothingAsked): Ending {
  const { plan, files, commits } = account;
  // What failed before the edits that were committed may pass since.
  const isOver = ({ isStale }: Check): boolean => isStale && isCommitted(account);
  if (openChecks(account).some((check) => !isOver(check))) return 'failing';
  if ((plan?.open.length ?? 0) > 0) return 'unfinished';
  const open = files.filter(({ isOpen }) => isOpen).length;
  // A line of one file may be in a commit that has nothing of the others.
  if (isCommitted(account) || (open > 0 && filesIn(standing) * 2 >= open)) return 'committed';
  return files.length > 0 || commits.length > 0 ? 'changed' : 'looked';
}

/** The headline of a session: its commit, else what was asked, else what came of it. Of several commits the first, and how many more; a plan has a title. */
export function titleOf({ commits, goal, outcome, files, looked, commands }: SessionAccount): string {
  const plan = goal?.title ?? '';
  if (commits.length > 1 && plan !== '') return plan;
  const [first] = commits.filter(({ text }) => goal === null || !mergesOnly.test(text));
  const more = commits.length > 1 ? ` (and ${counted(commits.length - 1, 'more commit')})` : '';
  if (first !== undefined) return `${first.text}${more}`;
  const touched = files.length > 0 ? `Changed ${paths(files)}` : looked.files.join(', ');
  return plan || goal?.short || outcome?.short || clip(touched || (commands[0]?.command ?? ''), 120);
}

function paths(files: SessionAccount['files']): string {
  return files.map(({ path }) => path).join(', ');
}
