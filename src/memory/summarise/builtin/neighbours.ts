import { type Facts, factsOf } from '../../../calls/facts/index.ts';
import { isUnderWay, Plan, type Task } from '../../../calls/plan/index.ts';
import { clip, counted, listed } from '../../../calls/text/index.ts';
import type { Payload } from '../../../core/event/index.ts';
import { neighbourCharsMax } from '../../../core/limits.ts';

/** An earlier run of the same check or command, `at` calls back (0: the previous call). */
interface Former {
  readonly at: number;
  readonly failed: boolean;
  readonly facts: Facts;
}

/**
 * One clause that relates a call to the earlier ones of its session, or '': a check that passes after it failed, or fails
 * again; an edit of a file that a failing check named; the progress of a plan. `earlier`: the latest first.
 */
export function neighbourClause(payload: Payload, earlier: readonly Payload[]): string {
  if (earlier.length === 0) return '';
  const facts = factsOf(payload);
  if (facts.task !== null) return taskClause(facts.task, earlier);
  const clause = facts.runs.length > 0 ? runClause(facts, earlier) : '';
  return clause === '' && facts.changed.length > 0 ? editClause(facts, earlier) : clause;
}

/** Whether earlier calls can matter: only then they are fetched. */
export function hasNeighbours(payload: Payload): boolean {
  const { runs, changed, task } = factsOf(payload);
  return runs.length + changed.length > 0 || task?.name === '';
}

/**
 * The name of a task, which an update does not repeat, and the progress of the plan. A task that has only begun goes without its
 * name: a third memory with the same words displaces better ones (nDCG@10 .166 without names, .161 so, .151 with all).
 */
function taskClause(task: Task, earlier: readonly Payload[]): string {
  if (task.name !== '') return '';
  const plan = new Plan();
  for (const payload of earlier.toReversed()) {
    const step = factsOf(payload).task;
    if (step !== null) plan.take(step);
  }
  plan.take(task);
  const name = isUnderWay.test(task.status) ? '' : plan.nameOf(task.id);
  const state = plan.state();
  const parts = [name === '' ? '' : `“${name}”`, state === null ? '' : `${state.done} of ${state.of} done`];
  return parts.filter((part) => part !== '').join('; ');
}

function runClause(facts: Facts, earlier: readonly Payload[]): string {
  for (const { name, isCheck, verdict } of facts.runs) {
    const former = formerRun(name, earlier);
    if (former === null) continue;
    if (verdict === 'failed' || former.failed)
      return rerunClause(facts, former, verdict === 'failed', isCheck, earlier);
  }
  return '';
}

function formerRun(name: string, earlier: readonly Payload[]): Former | null {
  for (const [at, payload] of earlier.entries()) {
    const facts = factsOf(payload);
    const run = facts.runs.find((one) => one.name === name);
    if (run !== undefined) return { at, failed: run.verdict === 'failed', facts };
  }
  return null;
}

function rerunClause(
  facts: Facts,
  former: Former,
  fails: boolean,
  isCheck: boolean,
  earlier: readonly Payload[],
): string {
  const ago = before(former.at);
  const between = earlier.slice(0, former.at);
  const changed = changedSince(between);
  // A command that is not a check may fail without any edit.
  if (changed === '' && !isCheck) return '';
  if (!fails) {
    return `Passed after failing ${ago}${because(former.facts)}${changed === '' ? fixedBy(between) : changedBetween(changed)}`;
  }
  // Run again without a change.
  if (changed === '') return '';
  if (!former.failed) return `Had passed ${ago}; changed since: ${changed}`;
  return `${alike(facts, former.facts) ? 'Still fails as' : 'Fails otherwise than'} ${ago}${changedBetween(changed)}`;
}

function changedBetween(files: string): string {
  return `; changed in between: ${files}`;
}

/** The commands in between that change files, where no edit explains the result. */
function fixedBy(calls: readonly Payload[]): string {
  const names = calls
    .toReversed()
    .flatMap((payload) => factsOf(payload).runs)
    .filter(({ name, verdict }) => verdict === 'passed' && fixing.test(name))
    .map(({ name }) => `\`${clip(name, 60)}\``);
  return names.length === 0 ? '' : `; ran in between: ${listed([...new Set(names)], changedCharsMax)}`;
}

const fixing =
  /^git (?:checkout|restore|stash|merge|rebase|pull|reset|revert|cherry-pick)\b|(?:^|[\s:.-])(?:fix|fmt|format|install|generate|codegen|migrate|tidy|sync)\b|--(?:write|fix|update)\b/;

function before(at: number): string {
  return at === 0 ? 'in the call before' : `${counted(at + 1, 'call')} before`;
}

function because({ complaint }: Facts): string {
  return complaint === '' ? '' : ` (${complaint})`;
}

/** The files that the calls changed, the first change first. */
function changedSince(calls: readonly Payload[]): string {
  const files = new Set(calls.toReversed().flatMap((payload) => factsOf(payload).changed));
  return listed([...files], changedCharsMax);
}

const changedCharsMax = 120;

/** Whether the same test fails; without test names, whether the complaint is the same but for numbers. */
function alike(one: Facts, other: Facts): boolean {
  if (one.failedTests.length + other.failedTests.length > 0) {
    return one.failedTests.some((test) => other.failedTests.includes(test));
  }
  return withoutFigures(one.complaint) === withoutFigures(other.complaint);
}

function withoutFigures(complaint: string): string {
  return complaint.replace(/\d+/g, '');
}

function editClause(facts: Facts, earlier: readonly Payload[]): string {
  const undone = earlier.findIndex((payload) => undoes(facts, factsOf(payload)));
  if (undone >= 0) return `Undoes the edit ${before(undone)}`;
  const settled = new Set<string>();
  for (const [at, payload] of earlier.entries()) {
    const { runs, blamed, complaint } = factsOf(payload);
    for (const { name, isCheck, verdict } of runs) {
      if (!isCheck || settled.has(name)) continue;
      // Only its last run counts: a check that has passed since blames nobody.
      settled.add(name);
      if (verdict !== 'failed' || !facts.changed.some((file) => names(blamed, file))) continue;
      return `\`${clip(name, 60)}\` had failed ${before(at)}${complaint === '' ? '' : ` (${complaint})`}`;
    }
  }
  return '';
}

function undoes(one: Facts, other: Facts): boolean {
  if (one.swap === null || other.swap === null || one.changed[0] !== other.changed[0]) return false;
  if (one.swap.removed.length + one.swap.added.length < undoneCharsMin) return false;
  return one.swap.removed === other.swap.added && one.swap.added === other.swap.removed;
}

/** Shorter swaps, such as of a brace, match by chance. */
const undoneCharsMin = 8;

/** A check may name a file from another folder than the one the call was made in. */
function names(blamed: readonly string[], file: string): boolean {
  return blamed.some((path) => path === file || file.endsWith(`/${path}`) || path.endsWith(`/${file}`));
}

/** `clause` after `text`, as its last sentence, within the limit of a clause. */
export function withClause(text: string, clause: string): string {
  if (clause === '') return text;
  const plain = text.trimEnd();
  const ended = /[.!?…]”?$/.test(plain) ? plain : `${plain}.`;
  return `${ended} ${clip(clause, neighbourCharsMax)}.`;
}

/** The text without its clause, for a call whose payload no longer shows whether it had one. */
export function withoutClause(text: string): string {
  const at = text.search(clauseSentence);
  return at === -1 ? text : text.slice(0, at);
}

/** A sentence that begins like a clause of this file; a plan's clause is always the last. */
const clauseSentence =
  /(?<=[.!?…]”?) (?:Passed after failing |Had passed |Still fails as |Fails otherwise than |Undoes the edit |`.{1,80} had failed |“.*(?:”(?:; .*)?|…)\.$|\d+ of \d+ done\.$)/s;
