import type { Argument, Command, Option } from 'commander';
import { assistants } from '../../install/index.ts';
import { mem } from '../mem.ts';
import { memd } from '../memd.ts';
import { examplesAt, type ProgramSpec, programOf, shownArgument } from '../program.ts';
import { quietIo } from './quiet-io.ts';

/** What a value is, for whoever completes it. */
export type Value =
  | { readonly kind: 'text' | 'file' | 'folder' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] };

export interface OptionNode {
  /** `-n`, or null. */
  readonly short: string | null;
  /** `--number`. */
  readonly long: string;
  /** The flags as the help shows them: `-n, --number <N>`. */
  readonly flags: string;
  readonly summary: string;
  /** What it takes; null for a switch. */
  readonly value: (Value & { readonly name: string }) | null;
}

export interface ArgumentNode {
  readonly name: string;
  /** As the help shows it: `[FILE]`, `<QUERY...>`. */
  readonly shown: string;
  readonly summary: string;
  readonly isVariadic: boolean;
  readonly value: Value;
}

export interface CommandNode {
  /** The words that call it, the program's own first: `memd scope check`. */
  readonly path: readonly string[];
  readonly summary: string;
  readonly options: readonly OptionNode[];
  readonly arguments: readonly ArgumentNode[];
  readonly examples: readonly string[];
  readonly groups: readonly GroupNode[];
  /** All of `--help`. */
  readonly help: string;
}

export interface GroupNode {
  /** Without its colon; empty where there is but one. */
  readonly title: string;
  readonly commands: readonly CommandNode[];
}

/** Both programs as plain data, read from the commands themselves. */
export async function programTrees(): Promise<{ readonly memd: CommandNode; readonly mem: CommandNode }> {
  return { memd: await treeOf(memd), mem: await treeOf(mem) };
}

/** Every command below a node, depth first, itself first. */
export function allCommands(node: CommandNode): CommandNode[] {
  return [node, ...commandsOf(node).flatMap(allCommands)];
}

export function commandsOf(node: CommandNode): readonly CommandNode[] {
  return node.groups.flatMap(({ commands }) => commands);
}

/** The words after the program's own: `scope check`; empty for the program itself. */
export function wordsOf(node: CommandNode): string {
  return node.path.slice(1).join(' ');
}

async function treeOf(spec: ProgramSpec): Promise<CommandNode> {
  const program = await programOf(spec, quietIo);
  const node = nodeOf(program, []);
  const byName = new Map(commandsOf(node).map((one) => [one.path[1], one]));
  const groups = spec.groups.map(({ title, commands }) => ({
    title: title.replace(/:$/, ''),
    commands: Object.keys(commands).map((name) => {
      const found = byName.get(name);
      if (found === undefined) throw new Error(`${spec.name}: the command of the name ${name} adds another`);
      return found;
    }),
  }));
  return { ...node, groups };
}

function nodeOf(from: Command, above: readonly string[]): CommandNode {
  const path = [...above, from.name()];
  const helper = from.createHelp();
  const commands = from.commands.map((one) => nodeOf(one, path));
  return {
    path,
    summary: from.description(),
    options: helper.visibleOptions(from).map(optionOf),
    arguments: from.registeredArguments.map(argumentOf),
    examples: examplesAt(from),
    groups: commands.length === 0 ? [] : [{ title: '', commands }],
    help: helpOf(from),
  };
}

/** What `--help` prints, examples and all. */
function helpOf(from: Command): string {
  const parts: string[] = [];
  from.configureOutput({ writeOut: (part) => parts.push(part), getOutHasColors: () => false });
  from.outputHelp();
  return parts.join('');
}

function optionOf(option: Option): OptionNode {
  const [, name] = /[<[]([^>\]]+)[>\]]/.exec(option.flags) ?? [];
  if (!option.long) throw new Error(`an option has no long name: ${option.flags}`);
  return {
    short: option.short ?? null,
    long: option.long,
    flags: option.flags,
    summary: withDefault(option),
    value: name === undefined ? null : { name, ...kindOf(name, option.argChoices) },
  };
}

function withDefault({ description, defaultValue }: Option): string {
  return defaultValue === undefined ? description : `${description} (default: ${String(defaultValue)})`;
}

function argumentOf(argument: Argument): ArgumentNode {
  const name = argument.name();
  return {
    name,
    shown: shownArgument(argument),
    summary: argument.description,
    isVariadic: argument.variadic,
    value: kindOf(name, argument.argChoices),
  };
}

/** The house's names for what a value is. */
function kindOf(name: string, choices: readonly string[] | undefined): Value {
  if (choices !== undefined) return { kind: 'choice', choices };
  if (name === 'CLIENT') return { kind: 'choice', choices: assistants.map((one) => one.name) };
  if (/^(FILE|PATH)\b/.test(name)) return { kind: 'file' };
  return { kind: /^(DIR|FOLDER)\b/.test(name) ? 'folder' : 'text' };
}
