import { type PlanState, withChecksRun } from '../../calls/plan/index.ts';
import { counted, listed } from '../../calls/text/index.ts';
import { command, quoted } from './quotes.ts';
import type { SessionTalk } from './talk.ts';
import { isInGit, type SessionTally } from './tally.ts';

/** The state of the work at the end: plan, commits, push, last check, uncommitted edits. */
export function endedLine(talk: SessionTalk, facts: SessionTally, max: number): string {
  const { checks, commits, uncommitted, pushed, opened, steps } = facts;
  const last = checks.last();
  const open = [...uncommitted];
  const plan = steps !== null && checks.allPass() ? withChecksRun(steps) : steps;
  const parts = [
    plan === null || plan.of === 0 ? '' : planState(plan, Math.floor(max * 0.4)),
    commits.length > 0 && open.length === 0 ? 'committed after the last edit' : '',
    commits.length > 0 && open.length > 0
      ? `${counted(open.length, 'file')} edited after the last commit (${listed(open, Math.floor(max * 0.4), ', ', 3)})`
      : '',
    pushed ? 'pushed' : '',
    opened ? 'pull request opened' : '',
    commits.length > 0 ? '' : uncommittedPart(talk, facts),
    gitPart(facts),
    last === null ? '' : `last check ${command(last.name, 80)} ${last.passedLast ? 'passed' : 'failed'}`,
  ];
  return parts.filter((part) => part !== '').join('; ');
}

/** Where a call may have committed, only what was edited after it is surely open. */
function uncommittedPart(talk: SessionTalk, { files, surelyOpen }: SessionTally): string {
  const left = [...surelyOpen].filter((path) => {
    const file = files.get(path);
    return file !== undefined && !(file.created && file.removed);
  });
  if (left.length === 0) return '';
  if (talk.reportsCommit()) return 'committed, as a reply says';
  if (talk.saysCommitted()) return '';
  const all = [...files.values()].filter(
    ({ path, created, removed }) => !isInGit(path) && !(created && removed),
  ).length;
  return left.length < all
    ? `${counted(all, 'file')} changed, no commit seen for at least ${left.length}`
    : `${counted(left.length, 'file')} changed, no commit seen`;
}

/** Hooks and settings of the repository itself: no commit holds them, and they stay. */
function gitPart({ files }: SessionTally): string {
  const own = [...files.values()].filter(({ path, removed }) => isInGit(path) && !removed);
  return own.length === 0 ? '' : `${counted(own.length, 'file')} below .git changed`;
}

/** `2 of 5 steps done, next “...”`. */
function planState({ done, of, next }: PlanState, max: number): string {
  if (done === of) return `plan done (${counted(of, 'step')})`;
  return `${done} of ${counted(of, 'step')} done${next === '' ? '' : `, next ${quoted(next, max)}`}`;
}
