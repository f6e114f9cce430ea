import { type Call, commandText, familyOf, once } from '#reading/call';
import { formatters, readCommand, type ShellCommand, type Step } from '#reading/shell';
import { firstLine, plainLines, readableOutput, relativePaths } from '#reading/text';
import { hadNothing, refusedCommit } from './hook-runs.ts';
import { printedBy } from './printed.ts';
import { didNothing, type Verdict, verdictOf, verdictOfAll } from './verdict.ts';

/** A step of a command with its verdict. */
export interface StepRun {
  readonly name: string;
  readonly verdict: Verdict;
  readonly step: Step;
}

/** A check of a command, or all together. */
export interface CheckDone extends Pick<StepRun, 'name' | 'verdict'> {
  /** Where it ran, from the folder in which the command began; of several the first. */
  readonly folder: string;
  /** Several that ran in several folders: as one they are none. */
  readonly isApart: boolean;
}

/** A command line with its steps and its output. */
export interface CommandRun {
  /** As typed, with paths relative to its folder. */
  readonly command: string;
  readonly shell: ShellCommand;
  /** Several checks come first as one: `npm run lint && npm test`. */
  readonly checks: readonly CheckDone[];
  readonly others: readonly StepRun[];
  /** The output as a person saw it. */
  readonly lines: readonly string[];
  /** The output was one JSON object per line. */
  readonly isRecords: boolean;
}

/** A path of it is not from the folder of the call, but from where the script has gone. */
const entering = /(\b(?:cd|pushd|(?:Push|Set)-Location)\s+["']?\/[^\s;&|"']*)/;

/** The command of a call with the verdict of each step. */
export const commandRun = once((call: Call): CommandRun => {
  const command = commandText(call)
    .split(entering)
    .map((part, at) => (at % 2 === 0 ? relativePaths(part, call.cwd) : part))
    .join('');
  const shell = readCommand(command);
  const output = readableOutput(relativePaths(call.result.text, call.cwd));
  const lines = plainLines(output.text);
  const runs = shell.steps.map((step, at) => ({
    step,
    name: step.name,
    verdict: verdictOf(shell, at, call.result, lines),
  }));
  const single = runs.filter(({ step }) => step.isCheck);
  const name = single.map((check) => check.name).join(' && ');
  const isOne = single.length < 2;
  const all = isOne ? 'none' : verdictOfAll(shell, call.result, lines);
  const [folder = '', ...others] = single.map(({ step }) => step.folder);
  const isApart = others.some((other) => other !== folder);
  const together = isOne ? [] : [{ name, verdict: all, folder, isApart }];
  // The only tests of a command print their counts, also where another check is known to have failed.
  const isBlamed = single.some(({ verdict }) => verdict === 'failed');
  const isOnlyTest = single.filter(({ step }) => step.isTest).length === 1;
  const counted = isBlamed && isOnlyTest && printedBy(lines).tests === 'passed';
  // Of several, those whose own end does not show have that of all.
  const own = single.map((run) =>
    isOne || run.verdict !== 'unknown'
      ? run
      : {
          ...run,
          verdict: all === 'passed' || (counted && run.step.isTest) ? ('passed' as const) : ('none' as const),
        },
  );
  return {
    command,
    shell,
    checks: [
      ...together,
      ...own.map(({ name: one, verdict, step }) => ({
        ...{ name: one, verdict, folder: step.folder, isApart: false },
      })),
    ],
    others: runs.filter(({ step }) => !step.isCheck),
    lines,
    isRecords: output.isRecords,
  };
});

function hasFailed({ verdict, step }: StepRun): boolean {
  return verdict === 'failed' && !step.hasStandIn;
}

/** The verdict that all checks of a command share, otherwise `none`. */
export function checked(call: Call): Verdict {
  const [first, ...rest] = commandRun(call).checks;
  if (first === undefined) return 'none';
  return rest.every(({ verdict }) => verdict === first.verdict) ? first.verdict : 'none';
}

/** How a command ended: by its checks where it has any, else by its exit status. Never `passed` because of a pipe. */
export function commandVerdict(call: Call): Verdict {
  const { checks, others, lines } = commandRun(call);
  const { failed, refused, cancelled, running, stopped } = call.result;
  if (refused || cancelled) return 'none';
  const [check] = checks;
  if (check?.verdict === 'passed') return besidesPassed(commandRun(call));
  if (check !== undefined && check.verdict !== 'none') return check.verdict;
  if (running || others.some(({ verdict }) => verdict === 'started')) return 'started';
  if (stopped) return 'unknown';
  // A check without a verdict never began, and a pipe may hide that.
  if (check !== undefined) return !failed && didNothing(lines) ? 'none' : 'failed';
  return failed ? 'failed' : endedWell(call);
}

/** What ran next to a check that passed may fail, and only the script says so. */
function besidesPassed({ others, shell }: CommandRun): Verdict {
  if (others.some(hasFailed)) return 'failed';
  // `gofmt -l` next to it names what is not formatted, and ends well.
  const isListed = (program: string): boolean =>
    formatters.test(program) && !others.some(({ step }) => step.words[0] === program);
  return shell.programs.some(isListed) ? 'none' : 'passed';
}

/** The verdict of a command without a check whose exit status is that of success. */
function endedWell(call: Call): Verdict {
  const { others, lines } = commandRun(call);
  // What another command stood in for has no end of its own.
  if (others.some(({ step }) => step.hasStandIn)) return 'none';
  // Of several commands nobody knows which one says so.
  if (others.length < 2 && didNotRun(lines)) return 'failed';
  // A wrapper may end well although the hook refused the commit.
  const isRefused = refusedCommit(commandText(call), call.result) && !hadNothing(call.result);
  if (isRefused || hidesGitFailure(call)) return 'failed';
  // A wrapper may end well although what it ran counts failures.
  const said = printedBy(lines);
  if (said.tests === 'failed' || said.others === 'failed') return 'unknown';
  const hidden = others.filter(({ step }) => step.seen !== 'whole' && !step.mustPass);
  // Selected lines may be those of a failure.
  if (hidden.some(({ step }) => step.seen === 'filtered')) return 'none';
  // The first lines show no end, the last ones one that went wrong.
  return hidden.some(({ step }) => step.head !== null || said.looksBad) ? 'unknown' : 'passed';
}

/** All that came through a pipe is why the program did nothing. */
function didNotRun(lines: readonly string[]): boolean {
  const said = lines.filter((line) => line.trim() !== '');
  const [first = ''] = said;
  return (
    said.length <= usageLinesMax &&
    (usage.test(first) || (first !== '' && said.every((line) => noFile.test(line))))
  );
}

const usageLinesMax = 8;
const usage =
  /^(?:error: (?:unexpected argument|unrecognized subcommand) |\S{1,200}: (?:(?:illegal|invalid|unrecognized|unknown) option\b|line \d+: \S{1,60}: unbound variable$)|gh: .{1,80} \(HTTP [45]\d\d\))/;
const noFile = /^\S{1,60}: .{1,300}: No such file or directory$/;

/** A push or the like behind a pipe, of which git says that it did not go through. */
export function hidesGitFailure(call: Call): boolean {
  if (call.result.failed || !gitFails.test(call.result.text)) return false;
  return commandRun(call).others.some(
    ({ step }) => changesGit.test(step.name) && step.seen !== 'whole' && !step.mustPass && !step.hasStandIn,
  );
}

const changesGit = /^git (?:-C \S+ )?(?:push|pull|fetch|merge|rebase|commit|cherry-pick|clone|am)\b/;
const gitFails = /^(?:fatal: |error: failed to push| ?! \[(?:remote )?rejected\])/m;

/** With a failure that a pipe hides. What runs behind a check that passed may fail on purpose. */
export function endsBadly(call: Call): boolean {
  if (call.result.failed) return true;
  if (familyOf(call) !== 'command' || commandVerdict(call) !== 'failed') return false;
  return commandRun(call).checks[0]?.verdict !== 'passed';
}

/** A check that failed, or another call that did. A search that finds nothing is not a failure. */
export function isFailure(call: Call): boolean {
  const { refused, cancelled, text } = call.result;
  const family = familyOf(call);
  if (family === 'command' && commandRun(call).checks.some(({ verdict }) => verdict === 'failed'))
    return true;
  if (refused || cancelled || !endsBadly(call)) return false;
  return family !== 'search' || !foundNothing.test(firstLine(text, complaintCharsMax));
}

const complaintCharsMax = 240;
const foundNothing = /^(?:$|exit(?:ed with)? code 1$|no (?:matches|files|results|content)\b)/i;
