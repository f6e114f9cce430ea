import type { Result } from './result.ts';
import type { Step, Steps } from './steps.ts';
import { testIn } from './tests-named.ts';

export type Verdict = 'passed' | 'failed' | 'none';

/**
 * How the step at `at` of a script ended, as far as the exit status of the whole and the lines it printed tell. Behind
 * a pipe, before a `;` and with `|| true` the status is not the step's own: then only what was printed counts.
 */
export function verdictOf(script: Steps, at: number, result: Result, lines: readonly string[]): Verdict {
  const step = script.steps[at];
  if (step === undefined || neverEnded(result)) return 'none';
  const isAlone = script.steps.length === 1;
  const isOnlyCheck = step.isCheck && script.steps.filter(({ isCheck }) => isCheck).length === 1;
  if (result.failed) {
    if (isAlone) return 'failed';
    return isOnlyCheck && printedVerdict(lines) === 'failed' ? 'failed' : 'none';
  }
  if (script.allMustPass) return 'passed';
  if (!step.isCheck) return isAlone || at === script.steps.length - 1 ? 'passed' : 'none';
  const printed = printedVerdict(lines);
  if (printed === 'failed') return isOnlyCheck ? 'failed' : 'none';
  return step.seen === 'filtered' || lines.length === 0 ? printed : 'passed';
}

/** How the checks of a script ended together; for one of several checks. */
export function verdictOfAll(script: Steps, result: Result, lines: readonly string[]): Verdict {
  if (neverEnded(result)) return 'none';
  if (result.failed) return 'failed';
  if (script.allMustPass) return 'passed';
  const printed = printedVerdict(lines);
  if (printed === 'failed') return 'failed';
  const filtered = (step: Step): boolean => step.isCheck && step.seen === 'filtered';
  return script.steps.some(filtered) || lines.length === 0 ? 'none' : 'passed';
}

function neverEnded({ refused, cancelled, text }: Result): boolean {
  return (
    refused ||
    cancelled ||
    /^Command (?:is )?running in (?:the )?background|^Script running with session/.test(text)
  );
}

/** What the lines of a check say of it: failing tests and the count at the end before anything that only looks bad. */
export function printedVerdict(lines: readonly string[]): Verdict {
  let counted: Verdict = 'none';
  let looksBad = false;
  for (const line of lines) {
    const trimmed = line.trim();
    const test = testIn(trimmed);
    const count = test === null ? countOf(trimmed) : 'none';
    if (test?.passed === false || count === 'failed') return 'failed';
    if (test !== null || count !== 'none') counted = 'passed';
    else looksBad ||= bad.test(trimmed);
  }
  if (counted === 'passed') return 'passed';
  return looksBad ? 'failed' : 'none';
}

/** Whether a line is the count that a runner or a linter ends with, and how it came out. */
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
  /^FAIL\b|^\s*error(?:\[E\d+\])?:|: error:? |\berror TS\d+|^(?:npm (?:ERR!|error)|ELIFECYCLE|BUILD FAILED|make: \*\*\*)|task failed|\bexit(?:ed with)?(?: (?:code|status))?[:= ]+[1-9]\d*\b|^panic:|^\S+\.\w{1,5}:\d+:\d+: \S|^Traceback|\bAssertionError\b|^#\s\S+\/\S+$|\[build failed\]|\b[1-9]\d* (?:failed|failures?|errors?)\b/i;
