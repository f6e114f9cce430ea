import type { Result } from '../call/index.ts';
import type { Step, Steps } from '../shell/index.ts';
import { testIn } from './tests-named.ts';

export type Verdict = 'passed' | 'failed' | 'none';

/**
 * The verdict of one step, by the exit status of the whole script and the output. Behind a pipe, before a `;` and with
 * `|| true` the exit status is not that of the step, so only the output counts.
 */
export function verdictOf(script: Steps, at: number, result: Result, lines: readonly string[]): Verdict {
  const step = script.steps[at];
  if (step === undefined || neverEnded(result)) return 'none';
  const isAlone = script.steps.length === 1;
  const isOnlyCheck = step.isCheck && script.steps.filter(({ isCheck }) => isCheck).length === 1;
  if (isOnlyCheck && neverBegan(lines)) return 'none';
  const printed = step.isCheck ? printedBy(step, result, lines) : 'none';
  if (result.failed) {
    // Behind `| grep`, the exit status is that of the search.
    if (isAlone && step.seen !== 'filtered') return 'failed';
    return isOnlyCheck && printed === 'failed' ? 'failed' : 'none';
  }
  // A wrapper may end well although what it ran did not.
  if (isOnlyCheck && lines.slice(-endLinesMax).some((line) => endedBadly.test(line.trim()))) return 'failed';
  if (script.allMustPass) return 'passed';
  if (!step.isCheck) return isAlone || at === script.steps.length - 1 ? 'passed' : 'none';
  if (printed === 'failed') {
    // What runs after a check prints errors of its own.
    const isFollowed = script.steps.slice(at + 1).some(({ isCheck }) => !isCheck);
    return isOnlyCheck && (!isFollowed || saidIn(lines).failed) ? 'failed' : 'none';
  }
  if (lines.length === 0 && step.seen === 'cut' && silent.test(step.name)) return 'passed';
  return step.seen === 'filtered' || isCutShort(step, result) || lines.length === 0 ? printed : 'passed';
}

/** Tools that print nothing when all is well, and always print what is not. */
const silent = /^(?:go (?:build|vet)|gofmt|tsc|vue-tsc|eslint|golangci-lint)\b/;

/** The verdict of several checks together. */
export function verdictOfAll(script: Steps, result: Result, lines: readonly string[]): Verdict {
  if (neverEnded(result)) return 'none';
  if (result.failed) return 'failed';
  if (script.allMustPass) return 'passed';
  const checks = script.steps.filter(({ isCheck }) => isCheck);
  if (checks.some((step) => printedBy(step, result, lines) === 'failed')) return 'failed';
  const unseen = checks.some((step) => step.seen === 'filtered' || isCutShort(step, result));
  return unseen || lines.length === 0 ? 'none' : 'passed';
}

/** How tests ended by the counts of their runner, in the output of several checks. */
export function testsCounted(lines: readonly string[]): Verdict {
  const counts = lines
    .map((line) => line.trim())
    .filter((line) => testCount.test(line))
    .map(countOf);
  return (['failed', 'passed'] as const).find((verdict) => counts.includes(verdict)) ?? 'none';
}

const testCount =
  /^(?:Tests?:?\s+\d+ |Test Suites: |Test Files\s|\d+ (?:pass|fail|passing|failing)\b|=+ .*\b\d+ (?:passed|failed)\b|test result: |[#ℹ] (?:pass|fail) \d)/;

function neverEnded({ refused, cancelled, text }: Result): boolean {
  return (
    refused ||
    cancelled ||
    /^Command (?:is )?running in (?:the )?background|^Script running with session/.test(text)
  );
}

/** The check did not run: its program or script does not exist. */
function neverBegan(lines: readonly string[]): boolean {
  return lines.length <= neverBeganLinesMax && lines.some((line) => missing.test(line));
}

const neverBeganLinesMax = 6;
const missing =
  /^error: unrecognized subcommand|: command not found$|^(?:sh|bash|zsh)?:? ?(?:line )?\d*:? ?\S+: not found$|^(?:npm (?:ERR!|error) )?[Mm]issing script:|^error: Script not found/;

/** Whether `head` may have cut the last lines. Captured output is trimmed at its ends. */
function isCutShort({ head }: Step, { text }: Result): boolean {
  return head !== null && text.split('\n').length + trimmedLinesMax >= head;
}

const trimmedLinesMax = 2;

/**
 * The verdict that the output alone shows. Without the end of the output only a count shows a pass. Tests print what
 * the tested code prints, so only the words of the runner show a failure.
 */
function printedBy(step: Step, result: Result, lines: readonly string[]): Verdict {
  const said = saidIn(lines);
  if (said.failed) return 'failed';
  const isCut = isCutShort(step, result);
  if (said.counted || (said.tested && !isCut)) return 'passed';
  const isSure = !step.isTest || (step.seen !== 'filtered' && !isCut);
  return said.looksBad && isSure ? 'failed' : 'none';
}

interface Said {
  /** A test failed, a count is not zero, or the runner ended badly. */
  readonly failed: boolean;
  /** A count at the end is good. */
  readonly counted: boolean;
  /** Names tests that passed. */
  readonly tested: boolean;
  /** An error, which may be what a test expects. */
  readonly looksBad: boolean;
}

function saidIn(lines: readonly string[]): Said {
  const said = { failed: false, counted: false, tested: false, looksBad: false };
  for (const line of lines) {
    const trimmed = line.trim();
    const test = testIn(trimmed);
    const count = test === null ? countOf(trimmed) : 'none';
    if (test?.passed === false || count === 'failed' || endedBadly.test(trimmed)) said.failed = true;
    else if (test !== null) said.tested = true;
    else if (count === 'passed') said.counted = true;
    else said.looksBad ||= bad.test(trimmed);
  }
  return said;
}

const endLinesMax = 4;
/** The last line of bun, pnpm or yarn when a script failed. */
const endedBadly =
  /^error: script "[^"]{1,100}" exited with code [1-9]|^(?:\[?ELIFECYCLE\]?|.{0,3}ELIFECYCLE\b)|^error Command failed with exit code [1-9]/;

/** The verdict of the line with which a runner or linter counts its results; `none` for any other line. */
export function countOf(line: string): Verdict {
  if (!countLine.test(line)) return 'none';
  if (/\b[1-9]\d* (?:fail(?:ed|ing|ures?)?|errors?|problems?|issues?)\b|^. fail [1-9]|FAILED/.test(line))
    return 'failed';
  return 'passed';
}

/**
 * Vitest and Jest (`Tests  1 failed | 2 passed`), bun (`0 fail`), mocha, pytest (`== 1 failed in 2s ==`), cargo, TAP and
 * node's `spec` (`# fail 0`), ESLint, biome, golangci-lint.
 */
const countLine =
  /^(?:Tests?:?\s+\d+ |Test Suites: |Test Files\s+\d|\d+ (?:pass|fail|passing|failing|errors?)\b.{0,12}$|=+ .*\b\d+ (?:passed|failed|errors?)\b|test result: |[#ℹ] (?:pass|fail) \d|✖ \d+ problems?|Found \d+ errors?|\d+ issues[.:]|Checked \d+ files? in|No issues found|BUILD SUCCESS)/;

const bad =
  /^FAIL\b|^\s*error(?:\[E\d+\])?:|: error:? |\berror TS\d+|^(?:npm (?:ERR!|error)|ELIFECYCLE|BUILD FAILED|make: \*\*\*)|task failed|\bexit(?:ed with)?(?: (?:code|status))?[:= ]+[1-9]\d*\b|^panic:|^\S+\.\w{1,5}:\d+:\d+: \S|^× \S|^Traceback|\bAssertionError\b|^#\s\S+\/\S+$|\[build failed\]|\b[1-9]\d* (?:failed|failures?|errors?)\b/i;
