import { type Check, checkOf, covers } from '../../src/calls/checks/check.ts';
import { isScratch } from '../../src/calls/text/paths.ts';
import { closingQuestion } from '../../src/memory/talk/closing-question.ts';
import type { Step, StepFile } from '../shapes.ts';

/** One request and all that follows until the next. */
export interface Turn {
  /** The `seq` of its first step. */
  readonly key: number;
  readonly prompt: Step | null;
  readonly steps: readonly Step[];
  /** Changes when anything of the turn does that is drawn. */
  readonly stamp: string;
}

export interface FileSum extends StepFile {
  readonly edits: number;
}

export interface CheckSum {
  readonly name: string;
  readonly runs: number;
  readonly failures: number;
  readonly hasPassed: boolean;
  /** It failed last, and a wider check has passed since. */
  readonly isFixed: boolean;
  /** Files were changed after its last run. */
  readonly isStale: boolean;
  /** The last run of it. */
  readonly seq: number;
}

/** Failures and what fixed them, both ways, by `seq`. */
export interface Fixes {
  readonly fixedBy: ReadonlyMap<number, Step>;
  readonly fixes: ReadonlyMap<number, Step>;
}

export function turnsOf(steps: readonly Step[], { fixedBy }: Fixes): Turn[] {
  const turns: { prompt: Step | null; steps: Step[]; stamp: string[] }[] = [];
  for (const step of steps) {
    if (step.kind === 'prompt' || turns.length === 0) {
      turns.push({ prompt: step.kind === 'prompt' ? step : null, steps: [], stamp: [] });
      if (step.kind === 'prompt') continue;
    }
    const turn = turns.at(-1);
    turn?.steps.push(step);
    if (isFailure(step)) turn?.stamp.push(`${step.seq}:${fixedBy.get(step.seq)?.seq ?? ''}`);
  }
  return turns.map(({ prompt, steps: own, stamp }) => ({
    prompt,
    steps: own,
    key: prompt?.seq ?? own[0]?.seq ?? 0,
    stamp: `${own.length} ${own.filter(({ id }) => id !== null).length} ${stamp.join(' ')}`,
  }));
}

/** A check that failed, or a command or an edit that did. A search that finds nothing is not a failure. */
export function isFailure({ end, family, runs = [] }: Step): boolean {
  if (runs.some(({ isCheck, verdict }) => isCheck && verdict === 'failed')) return true;
  return end === 'failed' && family !== 'search' && family !== 'read';
}

export function isChange({ files = [] }: Step): boolean {
  return files.length > 0;
}

/** Said by the assistant itself to the person. */
export function isReply({ kind, isAgent, isCompaction }: Step): boolean {
  return kind === 'reply' && isAgent !== true && isCompaction !== true;
}

/** The verdict of the checks that a step ran; null when it ran none. */
export function checkEnd({ runs = [] }: Step): 'passed' | 'failed' | null {
  const checks = runs.filter(({ isCheck, verdict }) => isCheck && verdict !== 'none');
  if (checks.length === 0) return null;
  return checks.some(({ verdict }) => verdict === 'failed') ? 'failed' : 'passed';
}

/**
 * A failed check is fixed by the next pass of it or of a wider one, also in the hook of a commit that was made; any other failed call by the next
 * equal one that succeeds. A wrapper may hide what the hook ran: then it is what an earlier commit printed.
 */
export function fixesOf(steps: readonly Step[]): Fixes {
  const fixedBy = new Map<number, Step>();
  const fixes = new Map<number, Step>();
  let open: { step: Step; checks: readonly Check[]; title: string }[] = [];
  let hook: readonly string[] = [];
  for (const step of steps) {
    if (step.kind !== 'call') continue;
    const passed = (step.runs ?? []).flatMap(({ name, verdict }) => (verdict === 'passed' ? [name] : []));
    hook = step.hook ?? hook;
    if (step.commit !== undefined && step.hook !== null) passed.push(...hook);
    const proven = passed.flatMap(checksIn);
    const title = isCommit.test(step.title) ? commitTitle : `${step.tool} ${step.title}`;
    open = open.filter((failure) => {
      const isProven =
        failure.checks.length > 0
          ? failure.checks.every((check) => proven.some((one) => covers(one, check)))
          : step.end === undefined && (failure.title === title || isEditOf(step, failure.step));
      const isCommitted = failure.title === commitTitle && step.commit !== undefined;
      if (!isProven && !isCommitted) return true;
      fixedBy.set(failure.step.seq, step);
      if (!fixes.has(step.seq)) fixes.set(step.seq, failure.step);
      return false;
    });
    if (!isFailure(step)) continue;
    const failed = (step.runs ?? []).filter(({ isCheck, verdict }) => isCheck && verdict === 'failed');
    open.push({ step, title, checks: failed.flatMap(({ name }) => checksIn(name)) });
  }
  return { fixedBy, fixes };
}

const isCommit = /^git commit\b/;
/** A later try has another message. */
const commitTitle = 'commit';

/** Whether a change is of the file that an earlier call failed to edit. */
function isEditOf({ files = [] }: Step, failed: Step): boolean {
  return failed.family === 'edit' && files.some(({ path }) => path === failed.title);
}

/** The checks of a script. */
function checksIn(name: string): readonly Check[] {
  return name.split(' && ').map((part) => checkOf(part));
}

/** What the session changed, by file, in the order of the first change; temporary files are left out. */
export function filesOf(steps: readonly Step[]): FileSum[] {
  const files = new Map<string, FileSum>();
  for (const file of steps.flatMap((step) => step.files ?? [])) {
    if (isScratch(file.path)) continue;
    const before = files.get(file.path) ?? { path: file.path, added: 0, removed: 0, edits: 0 };
    const { isGone: _, ...kept } = before;
    files.set(file.path, {
      ...kept,
      added: before.added + file.added,
      removed: before.removed + file.removed,
      edits: before.edits + 1,
      ...(file.isNew === true && before.edits === 0 && { isNew: true }),
      ...(file.isGone === true && { isGone: true }),
    });
  }
  // A file that came and went leaves nothing.
  return [...files.values()].filter(({ isNew, isGone }) => isNew !== true || isGone !== true);
}

/** The checks by name; those that ended badly first. */
export function checksOf(steps: readonly Step[], { fixedBy }: Fixes): CheckSum[] {
  const checks = new Map<string, CheckSum>();
  const lastChange = steps.findLastIndex(({ files = [] }) => files.some(({ path }) => !isScratch(path)));
  for (const [at, { seq, runs = [] }] of steps.entries()) {
    for (const { name, isCheck, verdict } of runs) {
      // Several checks of one command are also listed each.
      if (!isCheck || verdict === 'none' || name.includes(' && ')) continue;
      const before = checks.get(name) ?? { runs: 0, failures: 0 };
      checks.set(name, {
        name,
        seq,
        runs: before.runs + 1,
        failures: before.failures + (verdict === 'failed' ? 1 : 0),
        hasPassed: verdict === 'passed',
        isFixed: verdict === 'failed' && fixedBy.has(seq),
        isStale: at < lastChange,
      });
    }
  }
  const isGood = (check: CheckSum): number => Number(check.hasPassed || check.isFixed);
  return [...checks.values()].sort((a, b) => isGood(a) - isGood(b) || b.runs - a.runs);
}

/** The reply whose words the session's outcome has; null when it is not among the steps. */
export function replyWith(outcome: string, steps: readonly Step[]): Step | null {
  const start = letters(outcome).slice(0, outcomeChars);
  if (start === '') return null;
  return steps.findLast((step) => isReply(step) && letters(step.title).includes(start)) ?? null;
}

const outcomeChars = 24;

/** The request that a reply answers, by its number on the page; null when no other one was asked after it. */
export function requestBefore(reply: Step, turns: readonly Turn[]): { number: number; seq: number } | null {
  const at = turns.findIndex(({ steps }) => steps.includes(reply));
  const turn = turns[at];
  if (turn?.prompt == null || !turns.slice(at + 1).some(({ prompt }) => prompt?.asks !== undefined))
    return null;
  return { number: numberOf(turns, at), seq: turn.key };
}

/** The number of a turn on the page; calls before the first request have 0. */
export function numberOf(turns: readonly Turn[], at: number): number {
  return at + (turns[0]?.prompt === null ? 0 : 1);
}

/** What the session's last reply says is left to do. */
export function nextSteps(steps: readonly Step[]): readonly string[] {
  return steps.findLast(isReply)?.next ?? [];
}

/** What the last plan wants a person to look at, which no call can show. */
export function manualChecks(steps: readonly Step[]): readonly string[] {
  return steps.findLast(({ manual }) => manual !== undefined)?.manual ?? [];
}

/** The last request and the last words of the assistant, when the session ends in the middle of it; empty if it has a reply or a commit. */
export function unfinishedRequest(turns: readonly Turn[]): readonly string[] {
  const last = turns.findLast(({ prompt }) => prompt?.isAgent !== true);
  if (last?.prompt?.asks === undefined) return [];
  const end = last.steps.findLast(({ isAgent }) => isAgent !== true);
  const isDone = end?.kind === 'reply' && end.announces !== true;
  if (isDone || last.steps.some(({ commit }) => commit !== undefined)) return [];
  const words = last.steps.findLast(isReply)?.title.trim() ?? '';
  return [last.prompt.asks, ...(words !== '' && words.length <= wordsCharsMax ? [`“${words}”`] : [])];
}

const wordsCharsMax = 300;

const questionCharsMax = 300;

/** The question with which the last reply ended and which nobody answered; empty without one. */
export function lastQuestion(steps: readonly Step[]): string {
  const last = steps.findLast((step) => (step.kind === 'prompt' && step.isAgent !== true) || isReply(step));
  if (last?.kind !== 'reply' || last.isCut === true) return '';
  return closingQuestion(last.title, questionCharsMax);
}

export function commitsOf(steps: readonly Step[]): Step[] {
  const commits = steps.filter(({ commit }) => commit !== undefined);
  return commits.filter((step, at) => step.commit !== commits[at + 1]?.commit);
}

/** What a prompt asked for, and what was done until the next such prompt. */
export interface Request {
  readonly seq: number;
  readonly text: string;
  /** With those that only answer (“yes”, “go on”). */
  readonly turns: number;
  readonly calls: number;
  readonly files: number;
  /** The changes that its last report lists, else what its last reply concludes; empty without one. */
  readonly says: string;
}

/** The requests of a session. One that the next says again is left out. */
export function requestsOf(turns: readonly Turn[]): Request[] {
  const asked: { prompt: Step; text: string; turns: number; steps: Step[] }[] = [];
  for (const { prompt, steps } of turns) {
    const last = asked.at(-1);
    const text = prompt?.asks;
    if (prompt === null || text === undefined) {
      if (last === undefined) continue;
      last.steps.push(...steps);
      last.turns += 1;
    } else if (last !== undefined && text.startsWith(last.text.slice(0, sameChars)))
      asked.splice(-1, 1, { prompt, text, turns: last.turns + 1, steps: [...last.steps, ...steps] });
    else asked.push({ prompt, text, turns: 1, steps: [...steps] });
  }
  return asked.map(({ prompt, text, turns, steps }) => ({
    ...{ seq: prompt.seq, text, turns },
    calls: steps.filter(({ kind }) => kind === 'call').length,
    files: filesOf(steps).length,
    says:
      steps.findLast(({ says }) => says !== undefined)?.says ??
      steps.findLast(({ concludes }) => concludes !== undefined)?.concludes ??
      '',
  }));
}

const sameChars = 60;
const firstRequests = 3;
const busyRequests = 3;

/** The first requests and the last, and of those between the ones that changed most. */
export function mainRequests(requests: readonly Request[]): readonly Request[] {
  // One more is not worth a button.
  if (requests.length <= firstRequests + busyRequests + 2) return requests;
  const between = requests.slice(firstRequests, -1).filter(({ files }) => files > 0);
  const busy = between.sort((one, other) => other.files - one.files).slice(0, busyRequests);
  const last = requests.at(-1);
  return requests.filter((request, at) => at < firstRequests || request === last || busy.includes(request));
}

/** Whether two lists of changes, shortened to different lengths, begin alike: without folders and marks. */
export function isSameReport(one: string, other: string): boolean {
  return letters(one).slice(0, startChars) === letters(other).slice(0, startChars);
}

const startChars = 24;

/** Without folders, blanks and marks. */
function letters(text: string): string {
  return text.replace(/[\w.@-]+\//g, '').replace(/[^\p{L}\p{N}]+/gu, '');
}
