import { type Call, commandText, once } from '../call/index.ts';
import { readCommand, type ShellCommand, type Step } from '../shell/index.ts';
import { plainLines, readableOutput, relativePaths } from '../text/index.ts';
import { type Verdict, verdictOf, verdictOfAll } from './verdict.ts';

/** A command of a script with how it ended. */
export interface StepRun {
  readonly name: string;
  readonly verdict: Verdict;
  readonly step: Step;
}

/** A command line that was run, taken apart, and what came of it. */
export interface CommandRun {
  /** The whole as it was given, with paths relative to its folder. */
  readonly command: string;
  readonly shell: ShellCommand;
  /** Of several checks together, first, also all of them as one: `npm run lint && npm test`. */
  readonly checks: readonly Pick<StepRun, 'name' | 'verdict'>[];
  readonly others: readonly StepRun[];
  /** What was printed, as a person saw it. */
  readonly lines: readonly string[];
  /** It was a log or a listing of one JSON object a line. */
  readonly isRecords: boolean;
}

/** The command of a call with the verdict of each step. */
export const commandRun = once((call: Call): CommandRun => {
  const command = relativePaths(commandText(call), call.cwd);
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
  const together = single.length < 2 ? [] : [{ name, verdict: verdictOfAll(shell, call.result, lines) }];
  return {
    command,
    shell,
    checks: [...together, ...single],
    others: runs.filter(({ step }) => !step.isCheck),
    lines,
    isRecords: output.isRecords,
  };
});

/** How the checks of a command ended, all of them; `none` also when it has none. */
export function checked(call: Call): Verdict {
  const [first, ...rest] = commandRun(call).checks;
  if (first === undefined) return 'none';
  return rest.every(({ verdict }) => verdict === first.verdict) ? first.verdict : 'none';
}
