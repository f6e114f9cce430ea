import { testIn } from './tests-named.ts';

/** What a line of a runner, compiler, linter or builder says about its whole run. */
type Said = 'passed' | 'failed';

/** What an output says of the run that printed it. */
export interface Printed {
  /** By the counts and closing words of test runners; null without any. */
  readonly tests: Said | null;
  /** The same of compilers, linters, builders and scripts. */
  readonly others: Said | null;
  /** A test is named as failed. */
  readonly failedTest: boolean;
  /** A test is named, and none as failed. */
  readonly passedTests: boolean;
  /** An error, which may be what a test expects. */
  readonly looksBad: boolean;
}

export function printedBy(lines: readonly string[]): Printed {
  const tests = new Set<Said>();
  const others = new Set<Said>();
  let [failedTest, passedTests, looksBad] = [false, false, false];
  for (const [at, raw] of lines.entries()) {
    const line = raw.trim().replace(framed, '');
    const built = builtBy(lines, at);
    if (built !== null) others.add(built);
    const counted = saidBy(testRunners, line);
    const said = counted ?? saidBy(otherTools, line);
    const test = said === null ? testIn(line) : null;
    if (counted !== null) tests.add(counted);
    else if (said !== null) others.add(said);
    else if (test?.passed === false) failedTest = true;
    else if (test !== null) passedTests = true;
    else looksBad ||= bad.test(line);
  }
  return {
    tests: worst(tests),
    others: worst(others),
    failedTest,
    passedTests: passedTests && !failedTest,
    looksBad,
  };
}

/** MSBuild in any language: its counts of warnings and errors, above the time it took. */
function builtBy(lines: readonly string[], at: number): Said | null {
  const count = /^\s*(\d+) \p{L}[\p{L}()]*\s*$/u;
  if (!count.test(lines[at] ?? '')) return null;
  const [errors = '', ...below] = lines.slice(at + 1, at + 5).map((line) => line.trim());
  const found = count.exec(errors)?.[1];
  const isTimed = below.some((line) => /^\p{L}[\p{L} ]+ \d\d:\d\d:\d\d\.\d\d$/u.test(line));
  return found === undefined || !isTimed ? null : found === '0' ? 'passed' : 'failed';
}

/** Build tools put the name of the task before a line. */
const framed = /^(?:\[[A-Za-z][\w:.-]{0,40}\]\s+|[@\w/-]{1,60}[#:][a-z][\w:-]{0,40}:\s+)/;

function worst(said: ReadonlySet<Said>): Said | null {
  return said.has('failed') ? 'failed' : said.has('passed') ? 'passed' : null;
}

/** What one line counts or concludes; null for any other line. */
export function countOf(line: string): Said | null {
  return saidBy(testRunners, line) ?? saidBy(otherTools, line);
}

/** The words by which tools say how a run ended; `counted`: it failed when the line counts a failure. */
interface Forms {
  readonly failed: readonly RegExp[];
  readonly passed: readonly RegExp[];
  readonly counted: readonly RegExp[];
}

function saidBy({ failed, passed, counted }: Forms, line: string): Said | null {
  const has = (forms: readonly RegExp[]): boolean => forms.some((form) => form.test(line));
  if (line.length > lineCharsMax) return null;
  if (has(passed)) return 'passed';
  if (has(failed)) return 'failed';
  if (!has(counted)) return null;
  return failures.test(line) ? 'failed' : 'passed';
}

const lineCharsMax = 400;
/** A count of failures above zero, on either side of its word. */
const failures =
  /\b[1-9]\d*\)? (?:(?:tests?|specs?|suites?|tasks?|chart\(s\)) )?(?:fail(?:s|ed|ing|ures?)?\b|errors?\b|error\(s\)|offenses?\b|issues?\b|diagnostics?\b|unexpected\b|broken\b|FAILED\b)|\b(?:fail(?:ed|ures?|s)?|errors?|not ok)\b(?:\s?[:=]\s*|\s+)[1-9]/i;

/**
 * Vitest, Jest, Mocha, AVA, bun, node, Deno, Jasmine, Karma, Cypress, Playwright; pytest, unittest, tox; cargo, nextest; Go, gotestsum,
 * Ginkgo; RSpec, minitest; PHPUnit, Pest; Pester, ctest, XCTest, Swift Testing, prove, Dart, ExUnit, tasty, testthat, busted; `dotnet test`
 * in any language; and builds that include tests: Gradle, Maven, Nx, Turborepo, sbt.
 */
const testRunners: Forms = {
  failed: [
    /^✖\s+\d+ of \d+ failed/,
    /^!+ Interrupted: \d+ errors?|^=+ ERRORS =+$|^=+ no tests ran in/,
    /^FAILED \((?:failures|errors|unexpected)/,
    /^evaluation failed :\(/,
    /^test result: FAILED/,
    /^FAIL(?:$|\s+\S+\s+(?:[\d.]+s|\(cached\)|\[))/,
    /^BUILD FAIL|^FAILURE: Build failed|^> Task \S+ FAILED$|^Build FAILED/,
    /^\d+ tests completed, \d+ failed/,
    /^\p{L}+!\s+- [^:]{2,24}:\s+\d+, [^:]{2,24}:\s+\d+, /u,
    /^Test Run Failed|^\*\*\* \d+ TESTS? FAILED|^Some tests failed/,
    /^(?:FAILURES|ERRORS)!$|^There (?:was|were) \d+ (?:failure|error)s?:/,
    /^[✘􀢄] Test run with \d+ tests? .*failed/u,
    /^\*\* TEST FAILED \*\*/,
    /^Result: (?:FAIL|NOTESTS)/,
    /^\d\d:\d\d \+\d+(?: ~\d+)? -\d+: Some tests failed/,
    /^\d+ out of \d+ tests failed/,
  ],
  passed: [
    /^✔\s+All specs passed/,
    /^OK(?: \((?:skipped|expected)[^)]*\))?$/,
    /^congratulations :\)/,
    /^test result: ok\b/,
    /^ok\s+\S+\s+(?:[\d.]+s|\(cached\))/,
    /^BUILD SUCCESS/,
    /^NX\s+Successfully ran target|^Tasks:\s+(\d+) successful, \1 total/,
    /^\p{L}+!\s+- [^:]{2,24}:\s+0, [^:]{2,24}:\s+\d+, /u,
    /^Test Run Successful|^(?:\W{1,3} )?All (?:\d+ )?tests passed|^All tests successful/,
    /^OK \(\d+ tests?, |^OK, but /,
    /^[✔􁁛] Test run with \d+ tests? .*passed/u,
    /^\*\* TEST SUCCEEDED \*\*/,
    /^Result: PASS$/,
    /^\d\d:\d\d \+\d+(?: ~\d+)?: All tests passed/,
  ],
  counted: [
    /^(?:Tests?:?\s+\d+ |Test Suites: |Test Files\s+\d|Tests:\s+\d)/,
    /^\d+ (?:pass(?:ed|ing)?|fail(?:ed|ing)?)\b.{0,24}$/,
    /^[#ℹ] (?:pass|fail) \d/,
    /^\d+ tests? (?:passed|failed)\b|^\d+ uncaught exceptions?$/,
    /^(?:ok|FAILED) \| \d+ passed/,
    /^\d+ (?:specs?|examples?|runs|tests?|doctests?|propert(?:y|ies)|scenarios?)\b.*, \d+ (?:fail|errors?\b)/,
    /^Executed \d+ (?:of|out of) \d+|^TOTAL: \d+ (?:FAILED|SUCCESS)/,
    /^(?:=+ )?(?:\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?|rerun)(?:, |\b)){1,8}.{0,12}in [\d.:]+ ?(?:s|seconds)\b/,
    /^Summary \[ *[\d.]+s\]/,
    /^DONE \d+ tests/,
    /^(?:FAIL|SUCCESS)! -- \d+ Passed/,
    /^Tests run: \d+, Failures: /,
    /^(?:Passed|Failed|Error): Total \d|^Test summary: total: \d|^Tests: succeeded \d|^Tests Passed: \d/,
    /^Tests: \d+, Assertions: /,
    /^\d+% tests passed, \d+ tests failed/,
    /^Executed \d+ tests?, with \d+ failures?/,
    /^\[ FAIL \d+ \| /,
    /^\d+ successes \/ \d+ failures/,
    /^\d+ failures, \d+ errors\.$/,
  ],
};

/** Scripts of packages, make, compilers, bundlers, type checkers and linters. */
const otherTools: Forms = {
  failed: [
    /^error: script "[^"]{1,100}" exited with code [1-9]|^\W{0,3}ELIFECYCLE\b|^error Command failed with exit code [1-9]/,
    /^npm (?:ERR!|error) (?:code ELIFECYCLE|Lifecycle script|Test failed|command failed|workspace .* failed)/i,
    /^make(?:\[\d+\])?: \*\*\* /,
    /^Failed:\s+\S+#\S+|^NX\s+(?:Ran|Running) target.*failed|^ERROR: failed to solve|^error during build:/,
    /^FAILED: Build did NOT|^\*\* BUILD FAILED \*\*|^Build failed\b/,
    /^error: (?:could not compile|aborting due to|build failed|\d+ errors? emitted|test failed)/,
    /^(?:webpack .{1,20} )?compiled with [1-9]\d* errors?|^Failed to compile/i,
    /^\*\* \((?:Mix|EXIT|\w+Error)\)|^Halting VM with exit status [1-9]/,
    /^== Compilation error in file|^Compilation failed due to/,
    /\berror (?:TS|MSB|CS|CA|NU|NETSDK|FS)\d{3,5}:/,
    /^✖ \d+ problems?|^\d+ problems? \([1-9]/,
    /^\d+ mods\/funs, found \d|^done \(warnings were emitted\)/,
    /^Done linting! Found \d+ violations?, [1-9]|^would reformat \S|^Oh no! |^(?:Some|\d+) files? would be reformatted/,
    /^Code style issues (?:found|in)/,
  ],
  passed: [
    /^INFO: Build completed successfully|^Build complete!|^\*\* BUILD SUCCEEDED \*\*|^Build succeeded\b/,
    /^Finished (?:`|dev\b|release\b|test\b)/,
    /^✓ built in \d|^✓ Compiled successfully|^(?:⚡\uFE0F? ?)?(?:Build success|Done) in \d|^(?:webpack .{1,20} )?[Cc]ompiled successfully/u,
    /^(?:Successfully (?:built|tagged) |\[100%\] Built target |Success! The configuration is valid)/,
    /^Generated \S+ app$/,
    /^✖ \d+ problems? \(0 errors/,
    /^\d+ mods\/funs, found no issues|^done \(passed successfully\)/,
    /^(?:All checks passed|Success: no issues found|No (?:issues|errors)(?: found)?[.!]*(?:$| Great job)|Checked \d+ files? in|All matched files use|All done! |All files (?:formatted|pass))/,
  ],
  counted: [
    /^\w+: \d+ errors?, \d+ warnings?$/,
    /^Found \d+ (?:errors?|warnings?|issues?|diagnostics?|offenses?)\b/,
    /^(?:svelte-check found )?\d+ errors?(?:,| and) \d+ warnings?/,
    /^\d+ (?:errors?|issues)\b[.:]?.{0,12}$/,
    /^\d+ files? inspected, /,
    /^\d+ chart\(s\) linted, /,
  ],
};

/** An error of any program. */
const bad =
  /^FAIL\b|^\s*error(?:\[E\d+\])?:|: error:? |\berror TS\d+|^(?:npm (?:ERR!|error))|task failed|\bexit(?:ed with)?(?: (?:code|status))?[:= ]+[1-9]\d*\b|^panic:|^(?:vet: )?\S+\.\w{1,5}:\d+:\d+: \S|^× \S|^Traceback|\bAssertionError\b|^#\s\S+\/\S+$|\[build failed\]|\b[1-9]\d* (?:failed|failures?|errors?)\b/i;
