import { type Call, commandText } from '#reading/call';
import { checkOf } from './check.ts';
import { printedBy } from './printed.ts';
import { commandRun } from './run.ts';
import { silent } from './verdict.ts';

/**
 * The checks of a call that certainly passed or failed, without single tests.
 * A verdict is enough to find a memory. To replace one, more is needed: behind a pipe the output must not contradict
 * the exit status, and a command that could not begin says nothing about its check.
 */
export function sureVerdicts(call: Call): ReadonlyMap<string, 'passed' | 'failed'> {
  const found = new Map<string, 'passed' | 'failed'>();
  const { text, failed } = call.result;
  const { checks, lines } = commandRun(call);
  if (checks.length === 0 || isElsewhere(call)) return found;
  if (failed && neverBegan.test(text.slice(0, 400))) return found;
  const said = printedBy(lines);
  // A compiler prints only what is wrong.
  const isSilent = checks.length === 1 && silent.test(checks[0]?.name ?? '') && said.looksBad;
  // Tests print errors that they expect.
  const isMarked = checks.length === 1 && checkOf(checks[0]?.name ?? '').kind !== 'test' && marks.test(text);
  const isAccused =
    isSilent || isMarked || said.tests === 'failed' || said.others === 'failed' || said.failedTest;
  const isClear = said.tests === 'passed' || said.others === 'passed' || !marks.test(text);
  for (const { name, verdict } of checks) {
    if (verdict === 'failed' && (failed || isAccused)) found.set(name, verdict);
    if (verdict === 'passed' && isClear && !isAccused && !found.has(name)) found.set(name, verdict);
  }
  return found;
}

/** Whether the command checks another state of the files. The message of a commit may name these too. */
export function isElsewhere(call: Call): boolean {
  const { programs } = commandRun(call).shell;
  return programs.length === 0
    ? elsewhere.test(commandText(call))
    : programs.some((program) => elsewhere.test(program));
}

const elsewhere = /\bgit (?:-\S+ )*(?:stash|checkout|switch|worktree|bisect|rebase)\b/;

/** The check changes the files it checks. */
export const fixes = /\b(?:fix|write|fmt|format|update|generate|clean|install)\b|(?:^|\s)-[uw]\b/;

const neverBegan =
  /command not found|not found: |[Uu]nrecognized (?:sub)?command|[Uu]nknown (?:sub)?(?:command|option|argument)|unexpected argument|[Mm]issing script|[Ss]cript not found|no such file or directory|^usage:|sibling tool call|timed out|interrupted/im;

/** Marks before an error. Only blanks of the same line may lead: `\s*` would start again at every blank line. */
const marks =
  /^[^\S\n]*(?:[×✗✘✖✕]|error(?:\[E\d+\])?:|panic:|Traceback|\S+\.\w{1,5}:\d+:\d+: (?!warning))|error TS\d+/m;
