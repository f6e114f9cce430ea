import { type Call, commandText, once } from '../call/index.ts';
import { readCommand, type ShellCommand, type Step } from '../shell/index.ts';
import { plainLines, readableOutput, relativePaths } from '../text/index.ts';
import { type Verdict, verdictOf, verdictOfAll } from './verdict.ts';

/** A step of a command with its verdict. */
export interface StepRun {
  readonly name: string;
  readonly verdict: Verdict;
  readonly step: Step;
}

/** A command line with its steps and its output. */
export interface CommandRun {
  /** As typed, with paths relative to its folder. */
  readonly command: string;
  readonly shell: ShellCommand;
  /** Several checks come first as one: `npm run lint && npm test`. */
  readonly checks: readonly Pick<StepRun, 'name' | 'verdict'>[];
  readonly others: readonly StepRun[];
  /** The output as a person saw it. */
  readonly lines: readonly string[];
  /** The output was one JSON object per line. */
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

/** The verdict that all checks of a command share, otherwise `none`. */
export function checked(call: Call): Verdict {
  const [first, ...rest] = commandRun(call).checks;
  if (first === undefined) return 'none';
  return rest.every(({ verdict }) => verdict === first.verdict) ? first.verdict : 'none';
}
