import { type Call, commandText } from '../call/index.ts';
import { commandRun } from './run.ts';

/**
 * The checks of a call that surely passed or failed, single tests aside. A subject's outcome is good enough to be found by;
 * what replaces a memory needs more: where the exit status is not the check's own (behind a pipe), the lines must not speak
 * against it, and a command that could not even begin says nothing of what it should have checked.
 */
export function sureVerdicts(call: Call): ReadonlyMap<string, 'passed' | 'failed'> {
  const found = new Map<string, 'passed' | 'failed'>();
  const { text, failed } = call.result;
  const checks = commandRun(call).checks.filter(({ name }) => !fixes.test(name));
  if (checks.length === 0 || elsewhere.test(commandText(call))) return found;
  if (failed && neverBegan.test(text.slice(0, 400))) return found;
  const clean = clears.test(text);
  const bad = accuses.test(text);
  const sound = !bad && (clean || (!marks.test(text) && isWhole(call)));
  for (const { name, verdict } of checks) {
    const isSure = verdict === 'failed' ? failed || (bad && !clean) : verdict === 'passed' && sound;
    if (isSure && verdict !== 'none') found.set(name, verdict);
  }
  return found;
}

/**
 * All that the check printed is there: no pipe, or one that would have let more lines through. The ends of an output are
 * trimmed: behind `head` a few lines less may still be what was cut.
 */
function isWhole(call: Call): boolean {
  const piped = commandText(call).replace(/\|\|/g, '').split('|').slice(1);
  if (piped.length === 0) return true;
  const [, end, most] = /^\s*(head|tail)\s+(?:-n\s*|-)(\d{1,6})\s*$/.exec(piped[0] ?? '') ?? [];
  const lines = call.result.text.split('\n').length + (end === 'head' ? trimmedLinesMax : 0);
  return piped.length === 1 && most !== undefined && lines < Number(most);
}

const trimmedLinesMax = 4;

/** What is checked is another state of the files than the one that was worked on. */
const elsewhere = /\bgit (?:-\S+ )*(?:stash|checkout|switch|worktree|bisect|rebase)\b/;

/** Changes what it looks at: what it did last does not replace what it did before. */
export const fixes = /\b(?:fix|write|fmt|format|update|generate|clean|install)\b|(?:^|\s)-[uw]\b/;

const neverBegan =
  /command not found|not found: |[Uu]nrecognized (?:sub)?command|[Uu]nknown (?:sub)?(?:command|option|argument)|unexpected argument|[Mm]issing script|[Ss]cript not found|no such file or directory|^usage:|sibling tool call|timed out|interrupted/im;

/** A count of failures that is zero. */
const clears = /(?:^|[\s(,])0 (?:fail(?:ed|ures?|ing)?|errors?|issues?|problems?)\b/m;

/** A count of failures that is not, or the words with which a runner ends badly. */
const accuses =
  /(?:^|[\s(,])[1-9]\d* (?:fail(?:ed|ures?|ing)?|errors?|issues?|problems?)\b|^FAIL\b|\btask failed\b|\bexited with code [1-9]|^Exit code [1-9]/m;

/** What a runner puts before what went wrong. Only blanks of the same line may lead: `\s*` would try every blank line anew. */
const marks = /^[^\S\n]*(?:[×✗✘✖✕]|error(?:\[E\d+\])?:|panic:|Traceback)|error TS\d+/m;
