import { type Argument, Command, CommanderError, InvalidArgumentError } from 'commander';
import { helpColumns } from '../../core/limits.ts';
import { Failure, messageOf, systemRepair, withRepair } from '../../core/platform/index.ts';
import { version } from '../../core/version.ts';
import type { Io } from './io.ts';

/** Adds one command to a program. */
export type AddCommand = (program: Command, io: Io) => void;

/** A result that is a failure although everything has been said: exit 1. */
export class Unsuccessful extends Error {}

/** What was asked for is not understood, which shows only when the command is at work: exit 2. */
export class Misused extends Error {}

export interface ProgramSpec {
  readonly name: string;
  readonly description: string;
  readonly groups: readonly CommandGroup[];
  readonly examples: readonly string[];
}

/** Commands by name, under a heading of the help. What does the work is loaded when a command is called. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: Readonly<Record<string, () => Promise<AddCommand>>>;
}

/** Runs a command line. Exit status: 0 done, 1 failed, 2 not understood. */
export async function runProgram(spec: ProgramSpec, io: Io, argv: readonly string[]): Promise<number> {
  try {
    const program = await programOf(spec, io, argv[0]);
    await program.parseAsync([...argv], { from: 'user' });
    return 0;
  } catch (error) {
    return await exitCodeOf(error, spec.name, io);
  }
}

/** The program with the command `called` alone, or with all of them where there is none of that name. */
export async function programOf(spec: ProgramSpec, io: Io, called?: string): Promise<Command> {
  const program = new Command(spec.name)
    .description(spec.description)
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .usage('COMMAND [OPTIONS]')
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp({ sortSubcommands: false, helpWidth: helpColumns, subcommandTerm: termOf });
  const isKnown = spec.groups.some(({ commands }) => called !== undefined && Object.hasOwn(commands, called));
  for (const { title, commands } of spec.groups) {
    program.commandsGroup(title);
    for (const [name, load] of Object.entries(commands)) {
      if (isKnown && name !== called) continue;
      const add = await load();
      add(program, io);
    }
  }
  addExamples(program, spec.examples);
  program.addHelpText('after', `\n${lastLines(spec.name)}`);
  return program;
}

/** A command with its examples; the same lines stand in `--help` and in the documentation. */
export function command(
  program: Command,
  usage: string,
  summary: string,
  examples: readonly string[],
): Command {
  const added = program.command(usage).description(summary).helpOption('-h, --help', 'show this help');
  added.exitOverride();
  addExamples(added, examples);
  return added;
}

/** A command in the list of a help: `why <QUERY> <ID>`. */
function termOf(one: Command): string {
  return [one.name(), ...one.registeredArguments.map(shownArgument)].join(' ');
}

/** `<QUERY...>`, `[FILE]`. */
export function shownArgument(one: Argument): string {
  const inner = `${one.name()}${one.variadic ? '...' : ''}`;
  return one.required ? `<${inner}>` : `[${inner}]`;
}

const examplesOf = new WeakMap<Command, readonly string[]>();

/** The examples that a command was given. */
export function examplesAt(target: Command): readonly string[] {
  return examplesOf.get(target) ?? [];
}

function addExamples(target: Command, examples: readonly string[]): void {
  examplesOf.set(target, examples);
  if (examples.length > 0)
    target.addHelpText('after', `\nExamples:\n${examples.map((line) => `  $ ${line}`).join('\n')}`);
}

function lastLines(name: string): string {
  const other =
    name === 'memd' ? 'mem --help: the commands that search and keep' : 'memd --help: the service';
  return [
    'Exit status: 0 done, 1 failed, 2 not understood.',
    `${name} COMMAND --help: its options and examples.`,
    `${other}.`,
  ].join('\n');
}

/** For numbers on the command line. @throws InvalidArgumentError, which is exit 2 */
export function wholeNumber(min: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= min) return value;
    throw new InvalidArgumentError(`it must be a whole number, at least ${min}.`);
  };
}

async function exitCodeOf(error: unknown, name: string, io: Io): Promise<number> {
  if (error instanceof CommanderError) {
    // `--help` and `--version` end the parse by the same way.
    return error.exitCode === 0 ? 0 : 2;
  }
  if (error instanceof Unsuccessful) return 1;
  if (error instanceof Misused) {
    io.note(`${name}: ${error.message}`);
    return 2;
  }
  if (error instanceof Failure) {
    io.note(`${name}: ${error.message}`);
    return 1;
  }
  // Whoever met such an error has the store loaded; nobody else waits for it.
  const { damageFailure, isCorruption } = await import('../../memory/store/index.ts');
  if (isCorruption(error)) {
    io.note(`${name}: ${damageFailure(messageOf(error)).message}`);
    return 1;
  }
  if (systemRepair(error) !== null) {
    io.note(`${name}: ${withRepair(error)}`);
    return 1;
  }
  io.note(`${name}: unexpected: ${messageOf(error)}`);
  if (error instanceof Error && io.env.MEMD_DEBUG) io.note(error.stack ?? '');
  return 1;
}
