import { type Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { type MemoryKind, memoryKinds } from '#core/event';
import { helpColumns } from '#core/limits';
import { Failure, messageOf, systemRepair, withRepair } from '#core/platform';
import { version } from '../../core/version.ts';
import type { Io } from './io.ts';

/** Adds one command to a program. */
export type AddCommand = (program: Command, io: Io) => void;

/** A failure that was printed already: exit 1. */
export class Unsuccessful extends Error {}

/** A wrong command line that only the command itself can recognise: exit 2. */
export class Misused extends Error {}

export interface ProgramSpec {
  readonly name: string;
  readonly description: string;
  readonly groups: readonly CommandGroup[];
  readonly examples: readonly string[];
}

/** Commands by name, under a heading of the help. A command is loaded when it is called. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: Readonly<Record<string, () => Promise<AddCommand>>>;
}

/** Exit status: 0 success, 1 failure, 2 wrong command line. */
export async function runProgram(spec: ProgramSpec, io: Io, argv: readonly string[]): Promise<number> {
  try {
    const program = await programOf(spec, io, argv[0]);
    await program.parseAsync([...argv], { from: 'user' });
    return 0;
  } catch (error) {
    return await exitCodeOf(error, spec.name, io);
  }
}

/** The program with only the command `called`, or with all commands if there is none of that name. */
export async function programOf(spec: ProgramSpec, io: Io, called?: string): Promise<Command> {
  const program = new Command(spec.name)
    .description(spec.description)
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    // What stands after a command is that command's.
    .enablePositionalOptions()
    .usage('COMMAND [OPTIONS]')
    // `refusal` has the words.
    .configureOutput({ outputError: () => {} })
    .configureHelp({
      sortSubcommands: false,
      sortOptions: true,
      helpWidth: Math.min(io.columns, helpColumns),
      minWidthToWrap: 20,
      subcommandTerm: termOf,
    });
  const isKnown = spec.groups.some(({ commands }) => called !== undefined && Object.hasOwn(commands, called));
  for (const { title, commands } of spec.groups) {
    program.commandsGroup(title);
    for (const [name, load] of Object.entries(commands)) {
      if (isKnown && name !== called) continue;
      const add = await load();
      add(program, io);
    }
  }
  program.exitOverride(refusal(program));
  addExamples(program, spec.examples);
  program.addHelpText('after', `\n${lastLines(spec.name)}`);
  return program;
}

/** A command that prints text, or JSON with `--json`. */
export function command(...words: Parameters<typeof plainCommand>): Command {
  return plainCommand(...words).option('--json', 'print JSON');
}

/** A command without `--json`. Help and documentation show the examples. */
export function plainCommand(
  program: Command,
  usage: string,
  summary: string,
  examples: readonly string[],
): Command {
  const added = program.command(usage).description(summary).helpCommand(false).allowExcessArguments(false);
  added.exitOverride(refusal(added));
  addExamples(added, examples);
  return added;
}

/** `why <QUERY> <ID>` */
function termOf(one: Command): string {
  return [one.name(), ...one.registeredArguments.map(shownArgument)].join(' ');
}

/** `<QUERY...>`, `[FILE]` */
export function shownArgument(one: Argument): string {
  const inner = `${one.name()}${one.variadic ? '...' : ''}`;
  return one.required ? `<${inner}>` : `[${inner}]`;
}

const examplesOf = new WeakMap<Command, readonly string[]>();

export function examplesAt(target: Command): readonly string[] {
  return examplesOf.get(target) ?? [];
}

function addExamples(target: Command, examples: readonly string[]): void {
  examplesOf.set(target, examples);
  if (examples.length > 0)
    target.addHelpText('after', `\nExamples:\n${examples.map((line) => `  $ ${line}`).join('\n')}`);
}

function lastLines(name: string): string {
  const other = name === 'memd' ? 'mem --help: search and manage memories' : 'memd --help: run the daemon';
  return [
    `${name} COMMAND --help: options and examples of a command.`,
    `${other}.`,
    'Exit status: 0 success, 1 failure, 2 wrong command line.',
  ].join('\n');
}

/** A wrong command line in one line: what is wrong, what may be meant, and the help to read. */
function refusal(target: Command): (error: CommanderError) => never {
  return (error) => {
    if (error.exitCode === 0 || error.code === 'commander.help') throw error;
    const [what = '', near = ''] = withoutAddresses(error.message)
      .replace(/^error: (?:command-argument value )?/, '')
      .split('\n');
    const sentences = [what.replace(/\.?$/, '.'), ...(near === '' ? [] : [near.slice(1, -1)])];
    throw new Misused(`${sentences.join(' ')} Run \`${calledAs(target)} --help\`.`);
  };
}

/** `memd sync init` */
function calledAs(target: Command): string {
  return target.parent === null ? target.name() : `${calledAs(target.parent)} ${target.name()}`;
}

/** How many: `-k` everywhere. `former` are the flags that an earlier version had for it; they stay accepted. */
export function countOption(
  target: Command,
  summary: string,
  { fallback, min = 1, former = '-n <N>' }: { fallback?: number; min?: number; former?: string } = {},
): Command {
  const earlier = new Option(former).hideHelp().argParser(wholeNumber(min));
  earlier.attributeName = () => 'number';
  return target.option('-k, --number <N>', summary, wholeNumber(min), fallback).addOption(earlier);
}

/** Parses a number of the command line. @throws InvalidArgumentError, which is exit 2 */
export function wholeNumber(min: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= min) return value;
    throw new InvalidArgumentError(`It must be a whole number, at least ${min}.`);
  };
}

/** A word of the command line that may be an address with a password is not repeated. */
function withoutAddresses(text: string): string {
  return text.replace(/(['"`])[^'"`]*(?:[@\uff20]|\/\/|:\/)[^'"`]*\1/g, '$1...$1');
}

/** Parses the id of a memory, also as it is printed: `#12`. @throws InvalidArgumentError, which is exit 2 */
export function memoryId(text: string): number {
  return wholeNumber(1)(text.replace(/^#/, ''));
}

/** Parses `--kind`, which may be repeated and may be a list. @throws InvalidArgumentError, which is exit 2 */
export function kindList(text: string, before: readonly MemoryKind[] = []): MemoryKind[] {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  const isKnown = names.every((name) => memoryKinds.some((kind) => kind === name));
  if (!isKnown) throw new InvalidArgumentError(`It must be one or more of ${memoryKinds.join(', ')}.`);
  return memoryKinds.filter((kind) => before.includes(kind) || names.includes(kind));
}

async function exitCodeOf(error: unknown, name: string, io: Io): Promise<number> {
  // Of a value that only the command itself can check: what commander refuses is `Misused`.
  if (error instanceof InvalidArgumentError) io.note(`${name}: ${error.message}`);
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof Unsuccessful) return 1;
  if (error instanceof Misused || error instanceof Failure) {
    io.note(`${name}: ${error.message}`);
    return error instanceof Misused ? 2 : 1;
  }
  // Loaded only here: a command that met such an error has the store loaded already.
  const { damageFailure, isCorruption } = await import('#memory/store');
  const isKnown = isCorruption(error) || systemRepair(error) !== null;
  const message = isCorruption(error)
    ? damageFailure(messageOf(error)).message
    : isKnown
      ? withRepair(error)
      : `unexpected: ${messageOf(error)}`;
  io.note(`${name}: ${message}`);
  if (!isKnown && error instanceof Error && io.env.MEMD_DEBUG) io.note(error.stack ?? '');
  return 1;
}
