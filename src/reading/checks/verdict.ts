import type { Result } from '#reading/call';
import type { Step, Steps } from '#reading/shell';
import { type Printed, printedBy } from './printed.ts';

/**
 * How a step ended. `unknown`: it ran, and nothing shows its end. `started`: it was only started, and goes on as far as is known. `none`:
 * there is nothing to say: it did not run, or only the end of all steps together is known.
 */
export type Verdict = 'passed' | 'failed' | 'unknown' | 'started' | 'none';

/**
 * The verdict of one step, by the exit status of the script and the output. Behind a pipe, before a `;` and with `|| true` the exit status
 * is not that of the step, so only the output counts.
 */
export function verdictOf(script: Steps, at: number, result: Result, all: readonly string[]): Verdict {
  const step = script.steps[at];
  const early = step === undefined ? 'none' : withoutEnd(script, step, result, all);
  if (step === undefined || early !== null) return early ?? 'none';
  // The loop has ended: so did its last try.
  if (step.isAwaited) return isCutOff(result) ? 'unknown' : 'passed';
  const lines = withoutOwn(script, all);
  const isOpen = isOnlyOpen(script, step, result, all);
  const whole = isOpen ? outputOf(script, at, result, lines) : 'unknown';
  const printed = whole === 'unknown' ? between(script, at, result, all) : whole;
  if (isCutOff(result)) return printed === 'failed' ? 'failed' : unclear(step);
  if (result.failed) return isOpen || printed !== 'passed' ? failedScript(script, step, printed) : printed;
  if (step.isCheck && isOnlyCheck(script) && endedBadly(lines)) return 'failed';
  if (step.mustPass) return result.exitKnown || printed !== 'failed' ? 'passed' : 'failed';
  if (!step.isCheck) return script.steps.length === 1 || at === script.steps.length - 1 ? 'passed' : 'none';
  return printed;
}

/** The verdict of several checks together. */
export function verdictOfAll(script: Steps, result: Result, all: readonly string[]): Verdict {
  const checks = script.steps.filter(({ isCheck }) => isCheck);
  const each = checks.map((step) => verdictOf(script, script.steps.indexOf(step), result, all));
  if (result.refused || result.cancelled) return 'none';
  if (each.includes('started')) return 'started';
  if (isCutOff(result)) return 'unknown';
  if (result.failed && checks.some((step) => isNotFound(step, all)) && !each.includes('failed'))
    return 'none';
  if (result.failed || each.includes('failed')) return 'failed';
  if (each.every((verdict) => verdict === 'passed')) return 'passed';
  const lines = withoutOwn(script, all);
  const said = printedBy(lines);
  if (said.tests === 'failed' || said.others === 'failed' || said.failedTest) return 'failed';
  const isSeen = checks.every(({ seen, head }) => seen !== 'filtered' && head === null);
  const isTold = checks.every((step) => step.mustPass || said[step.isTest ? 'tests' : 'others'] === 'passed');
  const didBegin = !lines.some((line) => missing.test(line));
  return isSeen && isTold && didBegin && !said.looksBad ? 'passed' : 'unknown';
}

function withoutOwn({ ownLines }: Steps, lines: readonly string[]): readonly string[] {
  if (ownLines.length === 0) return lines;
  return lines.filter((line) => !ownLines.some((own) => own.test(line.trim())));
}

/** The verdict of one of several checks, by what stands between the lines that the script prints around it. */
function between(script: Steps, at: number, result: Result, all: readonly string[]): Verdict {
  const { steps } = script;
  const step = steps[at];
  if (!step?.isCheck || step.isDiverted || (step.above === null && step.below === null)) return 'unknown';
  const isWithIt = ({ above, below }: Step): boolean =>
    above?.source === step.above?.source && below?.source === step.below?.source;
  const alone = steps.filter(isWithIt);
  const [from, to] = [lineAt(step.above, all, -1), lineAt(step.below, all, all.length)];
  if (from === null || to === null || from > to || alone.filter(({ isCheck }) => isCheck).length > 1)
    return 'unknown';
  const lines = withoutOwn(script, all.slice(from + 1, to));
  if (lines.length === 0 && complainsElsewhere(script, all)) return 'unknown';
  return outputOf(
    { ...script, steps: alone },
    alone.indexOf(step),
    { ...result, failed: false, text: lines.join('\n') },
    lines,
  );
}

/** Errors come by another way: they may stand behind all lines. */
function complainsElsewhere({ steps, ownLines }: Steps, all: readonly string[]): boolean {
  const isOwn = (line: string): boolean => ownLines.some((own) => own.test(line.trim()));
  const behind = steps.at(-1)?.below ? all.slice(all.findLastIndex(isOwn) + 1) : [];
  return (
    printedBy(all).looksBad ||
    all.some((line) => missing.test(line)) ||
    behind.some((line) => line.trim() !== '')
  );
}

/** Where a line stands, if it does once. */
function lineAt(own: RegExp | null, lines: readonly string[], otherwise: number): number | null {
  if (own === null) return otherwise;
  const at = lines.flatMap((line, place) => (own.test(line.trim()) ? [place] : []));
  return at.length === 1 ? (at[0] ?? null) : null;
}

/** Whether the output is that of this check: the others have passed, or there are none. */
function isOnlyOpen({ steps }: Steps, step: Step, result: Result, all: readonly string[]): boolean {
  const checks = steps.filter(({ isCheck }) => isCheck);
  const open = result.failed
    ? checks.filter((one) => !isNotReached(one, all))
    : checks.filter(({ mustPass }) => !mustPass);
  return step.isCheck && (checks.length === 1 || (open.length === 1 && open[0] === step));
}

/** The verdict of a step that has no end to look at, or whose end the script itself prints. */
function withoutEnd(script: Steps, step: Step, result: Result, lines: readonly string[]): Verdict | null {
  if (result.refused || result.cancelled) return 'none';
  if (result.running || step.isBackground) return 'started';
  if (step.isCheck && isOnlyCheck(script) && neverBegan(lines)) return 'none';
  if (step.isCheck && isOnlyCheck(script) && !result.failed && didNothing(lines)) return 'none';
  if (result.failed && (isNotReached(step, lines) || isNotFound(step, lines))) return 'none';
  if (isBlamed(step, lines)) return 'failed';
  return markedBy(step, lines);
}

/** Bun names the script that failed. */
function isBlamed({ words: [program, , script] }: Step, lines: readonly string[]): boolean {
  return (
    program === 'bun' && lines.some((line) => line.startsWith(`error: script "${script}" exited with code `))
  );
}

/** The package manager names each script that it begins, and not this one: a step before it failed. */
function isNotReached({ words: [program = '', ...words] }: Step, lines: readonly string[]): boolean {
  if (!/^(?:npm|pnpm|yarn)$/.test(program) || words.length === 0) return false;
  const begun = lines.flatMap((line) => /^> \S+@\d\S* ([\w:.-]+)/.exec(line.trim())?.[1] ?? []);
  return (
    begun.length > 0 &&
    !words.some(
      (word) =>
        begun.includes(word) || begun.includes(`pre${word}`) || (word === 't' && begun.includes('test')),
    )
  );
}

/** A step of a chain whose program is not there. */
function isNotFound({ words }: Step, lines: readonly string[]): boolean {
  return lines.slice(-neverBeganLinesMax).some((line) => {
    const name = notFound
      .exec(line.trim())
      ?.slice(1)
      .find((one) => one !== undefined);
    return name !== undefined && (words[0] === name || (words[1] === 'exec' && words[2] === name));
  });
}

const notFound =
  /^(?:\S+: )?(?:line )?(?:\d+: )?([\w.-]+): (?:command )?not found$|Command "([\w.-]+)" not found$/;

/** It ran no test, and found no package to build. */
export function didNothing(lines: readonly string[]): boolean {
  const isNothing = (line: string): boolean => nothing.test(line.trim());
  return lines.some(isNothing) && printedBy(lines.filter((line) => !isNothing(line))).tests === null;
}

const nothing =
  /\[no tests to run\]$|^testing: warning: no tests to run|\[no test files\]$|\bmatched no packages$|^No tests? (?:files? )?found\b|^running 0 tests$|^test result: ok\. 0 passed; 0 failed; 0 ignored/;

function isOnlyCheck({ steps }: Steps): boolean {
  return steps.filter(({ isCheck }) => isCheck).length <= 1;
}

/** Of a check the end is unknown; of another command nobody asks. */
function unclear({ isCheck }: Step): Verdict {
  return isCheck ? 'unknown' : 'none';
}

/** Someone, a time limit or a signal ended it. */
function isCutOff({ stopped, exitCode }: Result): boolean {
  return stopped || [124, 130, 137, 143].includes(exitCode ?? 0);
}

/** The script failed: so did its only step, or the one whose output says so. */
function failedScript(script: Steps, step: Step, printed: Verdict): Verdict {
  // Behind `| grep`, the exit status is that of the search.
  const isAlone = script.steps.length === 1;
  if (isAlone && step.seen !== 'filtered') return 'failed';
  if (printed === 'failed') return 'failed';
  return isAlone ? unclear(step) : 'none';
}

/** How the script itself says that a step ended, in the last such line. */
function markedBy({ marks }: Step, lines: readonly string[]): Verdict | null {
  if (marks.length === 0) return null;
  for (const line of lines.toReversed()) {
    for (const { says, line: form } of marks) {
      const found = form.exec(line.trim());
      if (found !== null) return says === 'status' ? (Number(found[1]) === 0 ? 'passed' : 'failed') : says;
    }
  }
  return null;
}

/** A wrapper may end well although what it ran did not: the last line of bun, pnpm or yarn when a script failed. */
function endedBadly(lines: readonly string[]): boolean {
  return lines.slice(-endLinesMax).some((line) => scriptFailed.test(line.trim()));
}

const endLinesMax = 4;
const scriptFailed =
  /^error: script "[^"]{1,100}" exited with code [1-9]|^(?:\[?ELIFECYCLE\]?|.{0,3}ELIFECYCLE\b)|^error Command failed with exit code [1-9]/;

/** The check did not run: its program or script does not exist. */
function neverBegan(lines: readonly string[]): boolean {
  return lines.length <= neverBeganLinesMax && lines.some((line) => missing.test(line));
}

const neverBeganLinesMax = 6;
const missing =
  /^error: unrecognized subcommand|: command not found$|^(?:sh|bash|zsh)?:? ?(?:line )?\d*:? ?\S+: not found$|^(?:npm (?:ERR!|error) )?[Mm]issing script:|^error: Script not found| is not recognized as (?:an internal or external command|a name of a cmdlet)|^go: -\w+ requires |\bCommand "[\w.-]+" not found$|^(?:error: )?(?:flag provided but not defined|unknown (?:shorthand )?flag|unexpected argument)\b/;

/**
 * The verdict that the output of the only check shows. Tests print what the tested code prints, so only the words of the runner show how
 * they ended. What runs behind a check prints errors of its own.
 */
function outputOf(script: Steps, at: number, result: Result, lines: readonly string[]): Verdict {
  const step = script.steps[at];
  if (step === undefined) return 'unknown';
  const isFollowed = !result.failed && script.steps.slice(at + 1).some(({ isCheck }) => !isCheck);
  const view: View = {
    isTest: step.isTest,
    isFollowed,
    hasEnd: step.seen !== 'filtered' && !isCutShort(step, result),
    isWhole: step.seen === 'whole' || (step.head !== null && !isCutShort(step, result)),
  };
  const parts = scriptsIn(lines);
  const last = parts.at(-1);
  // A chain of scripts stops at the first that fails, so the last one shows the end of all.
  if (parts.length > 1 && last !== undefined && view.hasEnd) {
    const own = { ...view, isTest: last.isTest };
    return last.lines.length === 0 && silent.test(last.command)
      ? 'passed'
      : judged(printedBy(last.lines), own);
  }
  if (lines.length === 0)
    return !isFollowed && !step.isDiverted && view.hasEnd && silent.test(step.name) ? 'passed' : 'unknown';
  return judged(printedBy(lines), view);
}

/** How much of an output there is to judge by. */
interface View {
  readonly isTest: boolean;
  readonly isFollowed: boolean;
  readonly hasEnd: boolean;
  readonly isWhole: boolean;
}

function judged(said: Printed, { isTest, isFollowed, hasEnd, isWhole }: View): Verdict {
  if (said.failedTest || said.tests === 'failed') return 'failed';
  if (said.tests === 'passed' && isTest) return 'passed';
  if (said.others === 'failed') return 'failed';
  if (said.looksBad && !isFollowed && (!isTest || (hasEnd && said.tests === null))) return 'failed';
  const isTold = said.tests === 'passed' || (said.others === 'passed' && !isTest);
  if (isTold) return said.looksBad ? 'unknown' : 'passed';
  return said.passedTests && isWhole ? 'passed' : 'unknown';
}

/** Tools that print nothing when all is well, and always print what is not. */
export const silent =
  /^(?:go (?:build|vet)|tsc|vue-tsc|eslint|stylelint|flake8|shellcheck|actionlint|yamllint|golangci-lint|mix (?:compile|format)|python3? -m (?:py_compile|flake8))\b/;

/** Whether `head` may have cut the last lines. Captured output is trimmed at its ends. */
function isCutShort({ head }: Step, { text }: Result): boolean {
  return head !== null && text.split('\n').length + trimmedLinesMax >= head;
}

const trimmedLinesMax = 2;

/** The scripts of a package that an output shows one after the other (`> tsc --noEmit`, `$ vitest run`), each with its lines. */
function scriptsIn(lines: readonly string[]): { command: string; isTest: boolean; lines: string[] }[] {
  const found: { command: string; isTest: boolean; lines: string[] }[] = [
    { command: '', isTest: false, lines: [] },
  ];
  for (const line of lines) {
    const command = /^(?:>|\$) ([a-z@][\w@./-]* ?.{0,300})$/.exec(line)?.[1];
    // The name of the script and its package come first.
    if (command === undefined) found.at(-1)?.lines.push(line);
    else if (!/^\S+@\d+\.\d+\S* \S+/.test(command))
      found.push({
        command,
        isTest: /\b(?:test|jest|vitest|mocha|ava|pytest|playwright)\b/.test(command),
        lines: [],
      });
  }
  return found;
}
