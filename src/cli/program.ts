import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { version } from '../info/index.ts';
import { Failure, messageOf } from '../platform/index.ts';
import type { Io } from './io.ts';

/** Adds one command to a program. `exit` is called by a command that fails after it has said why. */
export type AddCommand = (program: Command, io: Io) => void;

/** A result that is a failure although everything has been said: exit 1. */
export class Unsuccessful extends Error {}

export interface ProgramSpec {
  readonly name: string;
  readonly description: string;
  readonly commands: readonly AddCommand[];
  readonly examples: readonly string[];
}

/** Runs a command line. Exit status: 0 done, 1 failed, 2 not understood. */
export async function runProgram(spec: ProgramSpec, io: Io, argv: readonly string[]): Promise<number> {
  const program = new Command(spec.name)
    .description(spec.description)
    .version(version, '-V, --version', 'print the version')
    .helpCommand(false)
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp({ sortSubcommands: false });
  addExamples(program, spec.examples);
  for (const add of spec.commands) add(program, io);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return 0;
  } catch (error) {
    return exitCodeOf(error, spec.name, io);
  }
}

/** A command with its examples; the same lines stand in `--help` and in the documentation. */
export function command(
  program: Command,
  usage: string,
  summary: string,
  examples: readonly string[],
): Command {
  const added = program.command(usage).description(summary);
  added.exitOverride();
  addExamples(added, examples);
  return added;
}

function addExamples(target: Command, examples: readonly string[]): void {
  if (examples.length > 0)
    target.addHelpText('after', `\nExamples:\n${examples.map((line) => `  $ ${line}`).join('\n')}`);
}

/** For numbers on the command line. @throws InvalidArgumentError, which is exit 2 */
export function wholeNumber(min: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= min) return value;
    throw new InvalidArgumentError(`it must be a whole number, at least ${min}.`);
  };
}

function exitCodeOf(error: unknown, name: string, io: Io): number {
  if (error instanceof CommanderError) {
    // `--help` and `--version` end the parse by the same way.
    return error.exitCode === 0 ? 0 : 2;
  }
  if (error instanceof Unsuccessful) return 1;
  if (error instanceof Failure) {
    io.note(`${name}: ${error.message}`);
    return 1;
  }
  io.note(`${name}: unexpected: ${messageOf(error)}`);
  if (error instanceof Error && io.env.MEMD_DEBUG) io.note(error.stack ?? '');
  return 1;
}
