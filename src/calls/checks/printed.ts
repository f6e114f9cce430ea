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
  for (const raw of lines) {
    const line = raw.trim().replace(framed, '');
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

/** Build tools put the name of the task before a line. */
const framed = /^(?:\[[A-Za-z][\w:.-]{0,40}\]\s+|[@\w/-]{1,60}[#:][a-z][\w:-]{0,40}:\s+)/;

function worst(said: ReadonlySet<Said>): Said | null {
  return said.has('failed') ? 'failed' : said.has('passed') ? 'passed' : null;
}

/** What one line counts or concludes; null for any other line. */
export function countOf(line: string): Said | null {
  return saidBy(testRunners, line) ?? saidBy(otherTools, line);
}

/** The first form that a line has; `counted`: it failed when the line counts a failure. */
type Form = readonly [RegExp, Said | 'counted'];

function saidBy(forms: readonly Form[], line: string): Said | null {
  if (line.length > lineCharsMax) return null;
  const says = forms.find(([form]) => form.test(line))?.[1];
  if (says !== 'counted') return says ?? null;
  return failures.test(line) ? 'failed' : 'passed';
}

const lineCharsMax = 400;
/** A count of failures above zero, on either side of its word. */
const failures =
  /\b[1-9]\d*\)? (?:(?:tests?|specs?|suites?|tasks?|chart\(s\)) )?(?:fail(?:ed|ing|ures?)?\b|errors?\b|error\(s\)|offenses?\b|issues?\b|diagnostics?\b|unexpected\b|broken\b|FAILED\b)|\b(?:fail(?:ed|ures?|s)?|errors?|not ok)\b(?:\s?[:=]\s*|\s+)[1-9]/i;

const testRunners: readonly Form[] = [
  // Vitest, Jest, Pest, Playwright, Mocha, AVA, bun, node, Deno, Jasmine, Karma, Cypress.
  [/^(?:Tests?:?\s+\d+ |Test Suites: |Test Files\s+\d|Tests:\s+\d)/, 'counted'],
  [/^\d+ (?:pass(?:ed|ing)?|fail(?:ed|ing)?)\b.{0,24}$/, 'counted'],
  [/^[#ℹ] (?:pass|fail) \d/, 'counted'],
  [/^\d+ tests? (?:passed|failed)\b|^\d+ uncaught exceptions?$/, 'counted'],
  [/^(?:ok|FAILED) \| \d+ passed/, 'counted'],
  [
    /^\d+ (?:specs?|examples?|runs|tests?|doctests?|propert(?:y|ies)|scenarios?)\b.*, \d+ (?:fail|errors?\b)/,
    'counted',
  ],
  [/^Executed \d+ (?:of|out of) \d+|^TOTAL: \d+ (?:FAILED|SUCCESS)/, 'counted'],
  [/^✖\s+\d+ of \d+ failed/, 'failed'],
  [/^✔\s+All specs passed/, 'passed'],
  // pytest, unittest, tox.
  [
    /^(?:=+ )?(?:\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?|rerun)(?:, |\b)){1,8}.{0,12}in [\d.:]+ ?(?:s|seconds)\b/,
    'counted',
  ],
  [/^!+ Interrupted: \d+ errors?|^=+ ERRORS =+$|^=+ no tests ran in/, 'failed'],
  [/^FAILED \((?:failures|errors|unexpected)/, 'failed'],
  [/^OK(?: \((?:skipped|expected)[^)]*\))?$/, 'passed'],
  [/^congratulations :\)/, 'passed'],
  [/^evaluation failed :\(/, 'failed'],
  // cargo, nextest, Go, gotestsum, Ginkgo.
  [/^test result: ok\b/, 'passed'],
  [/^test result: FAILED/, 'failed'],
  [/^Summary \[ *[\d.]+s\]/, 'counted'],
  [/^FAIL(?:$|\s+\S+\s+(?:[\d.]+s|\(cached\)|\[))/, 'failed'],
  [/^ok\s+\S+\s+(?:[\d.]+s|\(cached\))/, 'passed'],
  [/^DONE \d+ tests/, 'counted'],
  [/^(?:FAIL|SUCCESS)! -- \d+ Passed/, 'counted'],
  // Gradle, Maven, Nx, Turborepo, .NET, sbt: the whole build, tests included.
  [/^BUILD SUCCESS/, 'passed'],
  [/^BUILD FAIL|^FAILURE: Build failed|^> Task \S+ FAILED$|^Build FAILED/, 'failed'],
  [/^NX\s+Successfully ran target|^Tasks:\s+(\d+) successful, \1 total/, 'passed'],
  [/^\d+ tests completed, \d+ failed/, 'failed'],
  [/^Tests run: \d+, Failures: /, 'counted'],
  // `dotnet test` in any language: the first number counts failures.
  [/^\p{L}+!\s+- [^:]{2,24}:\s+0, [^:]{2,24}:\s+\d+, /u, 'passed'],
  [/^\p{L}+!\s+- [^:]{2,24}:\s+\d+, [^:]{2,24}:\s+\d+, /u, 'failed'],
  [/^Test Run Failed|^\*\*\* \d+ TESTS? FAILED|^Some tests failed/, 'failed'],
  [/^Test Run Successful|^(?:\W{1,3} )?All (?:\d+ )?tests passed|^All tests successful/, 'passed'],
  [/^Test summary: total: \d|^Tests: succeeded \d|^Tests Passed: \d/, 'counted'],
  // PHPUnit, ctest, XCTest, Swift Testing, prove, Dart, tasty, testthat, busted, clojure.test.
  [/^OK \(\d+ tests?, |^OK, but /, 'passed'],
  [/^(?:FAILURES|ERRORS)!$|^There (?:was|were) \d+ (?:failure|error)s?:/, 'failed'],
  [/^Tests: \d+, Assertions: /, 'counted'],
  [/^\d+% tests passed, \d+ tests failed/, 'counted'],
  [/^Executed \d+ tests?, with \d+ failures?/, 'counted'],
  [/^[✔􁁛] Test run with \d+ tests? .*passed/u, 'passed'],
  [/^[✘􀢄] Test run with \d+ tests? .*failed/u, 'failed'],
  [/^\*\* TEST SUCCEEDED \*\*/, 'passed'],
  [/^\*\* TEST FAILED \*\*/, 'failed'],
  [/^Result: PASS$/, 'passed'],
  [/^Result: (?:FAIL|NOTESTS)/, 'failed'],
  [/^\d\d:\d\d \+\d+(?: ~\d+)?: All tests passed/, 'passed'],
  [/^\d\d:\d\d \+\d+(?: ~\d+)? -\d+: Some tests failed/, 'failed'],
  [/^\d+ out of \d+ tests failed/, 'failed'],
  [/^\[ FAIL \d+ \| /, 'counted'],
  [/^\d+ successes \/ \d+ failures/, 'counted'],
  [/^\d+ failures, \d+ errors\.$/, 'counted'],
];

const otherTools: readonly Form[] = [
  // A script of a package, a task of a build, make.
  [
    /^error: script "[^"]{1,100}" exited with code [1-9]|^\W{0,3}ELIFECYCLE\b|^error Command failed with exit code [1-9]/,
    'failed',
  ],
  [
    /^npm (?:ERR!|error) (?:code ELIFECYCLE|Lifecycle script|Test failed|command failed|workspace .* failed)/i,
    'failed',
  ],
  [/^make(?:\[\d+\])?: \*\*\* /, 'failed'],
  [
    /^Failed:\s+\S+#\S+|^NX\s+(?:Ran|Running) target.*failed|^ERROR: failed to solve|^error during build:/,
    'failed',
  ],
  [
    /^INFO: Build completed successfully|^Build complete!|^\*\* BUILD SUCCEEDED \*\*|^Build succeeded\b/,
    'passed',
  ],
  [/^FAILED: Build did NOT|^\*\* BUILD FAILED \*\*|^Build failed\b/, 'failed'],
  // Compilers and bundlers.
  [/^Finished (?:`|dev\b|release\b|test\b)/, 'passed'],
  [/^error: (?:could not compile|aborting due to|build failed|\d+ errors? emitted|test failed)/, 'failed'],
  [
    /^✓ built in \d|^✓ Compiled successfully|^(?:⚡\uFE0F? ?)?(?:Build success|Done) in \d|^(?:webpack .{1,20} )?[Cc]ompiled successfully/u,
    'passed',
  ],
  [/^(?:webpack .{1,20} )?compiled with [1-9]\d* errors?|^Failed to compile/i, 'failed'],
  [
    /^(?:Successfully (?:built|tagged) |\[100%\] Built target |Success! The configuration is valid)/,
    'passed',
  ],
  [/^Generated \S+ app$/, 'passed'],
  [/^== Compilation error in file|^Compilation failed due to/, 'failed'],
  [/\berror (?:TS|MSB|CS|CA|NU|NETSDK|FS)\d{3,5}:/, 'failed'],
  // Type checkers and linters.
  [/^✖ \d+ problems? \(0 errors/, 'passed'],
  [/^✖ \d+ problems?|^\d+ problems? \([1-9]/, 'failed'],
  [/^Found \d+ (?:errors?|warnings?|issues?|diagnostics?|offenses?)\b/, 'counted'],
  [/^(?:svelte-check found )?\d+ errors?(?:,| and) \d+ warnings?/, 'counted'],
  [/^\d+ (?:errors?|issues)\b[.:]?.{0,12}$/, 'counted'],
  [/^\d+ files? inspected, /, 'counted'],
  [/^\d+ mods\/funs, found no issues/, 'passed'],
  [/^\d+ mods\/funs, found \d/, 'failed'],
  [/^\d+ chart\(s\) linted, /, 'counted'],
  [
    /^Done linting! Found \d+ violations?, [1-9]|^would reformat \S|^Oh no! |^Some files? would be reformatted/,
    'failed',
  ],
  [/^Code style issues (?:found|in)/, 'failed'],
  [
    /^(?:All checks passed|Success: no issues found|No (?:issues|errors)(?: found)?[.!]*(?:$| Great job)|Checked \d+ files? in|All matched files use|All done! |All files (?:formatted|pass))/,
    'passed',
  ],
];

/** An error of any program. */
const bad =
  /^FAIL\b|^\s*error(?:\[E\d+\])?:|: error:? |\berror TS\d+|^(?:npm (?:ERR!|error))|task failed|\bexit(?:ed with)?(?: (?:code|status))?[:= ]+[1-9]\d*\b|^panic:|^\S+\.\w{1,5}:\d+:\d+: \S|^× \S|^Traceback|\bAssertionError\b|^#\s\S+\/\S+$|\[build failed\]|\b[1-9]\d* (?:failed|failures?|errors?)\b/i;
