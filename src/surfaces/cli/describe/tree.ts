import type { Argument, Command, Option } from 'commander';
import { helpColumns } from '#core/limits';
import { assistants } from '#surfaces/install';
import { type Io, silent } from '../io.ts';
import { mem } from '../mem.ts';
import { memd } from '../memd.ts';
import { examplesAt, type ProgramSpec, programOf, shownArgument } from '../program.ts';

/** The kind of a value, for completion. */
export type Value =
  | { readonly kind: 'text' | 'file' | 'folder' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] };

export type OptionNode = ReturnType<typeof optionOf>;

export interface CommandNode {
  /** `['memd', 'scope', 'check']` */
  readonly path: readonly string[];
  readonly summary: string;
  readonly options: readonly OptionNode[];
  readonly arguments: readonly ReturnType<typeof argumentOf>[];
  readonly examples: readonly string[];
  /** By the titles of the help, without their colons; of one group that title is empty. */
  readonly groups: readonly { readonly title: string; readonly commands: readonly CommandNode[] }[];
  /** The whole text of `--help`. */
  readonly help: string;
}

/** Both programs as plain data, read from their commands. */
export async function programTrees(): Promise<{ readonly memd: CommandNode; readonly mem: CommandNode }> {
  return { memd: await treeOf(memd), mem: await treeOf(mem) };
}

/** The node and all commands below it, depth first. */
export function allCommands(node: CommandNode): CommandNode[] {
  return [node, ...commandsOf(node).flatMap(allCommands)];
}

export function commandsOf(node: CommandNode): readonly CommandNode[] {
  return node.groups.flatMap(({ commands }) => commands);
}

/** `scope check`; empty for the program itself. */
export function wordsOf(node: CommandNode): string {
  return node.path.slice(1).join(' ');
}

/** Every command as a shell's loop over the words compares it: the words so far, a space, the last word. In quotes. */
export function spoken(program: CommandNode): string[] {
  const named = allCommands(program).filter(({ path }) => path.length > 1);
  return named.map(({ path }) => `'${path.slice(1, -1).join(' ')} ${path.at(-1)}'`);
}

/** For commands that are described and never run. */
const quietIo: Io = {
  env: {},
  cwd: '/',
  isTerminal: false,
  showsProgress: false,
  columns: helpColumns,
  ...silent,
  note: () => {},
  progress: () => {},
  style: (_style, text) => text,
};

async function treeOf(spec: ProgramSpec): Promise<CommandNode> {
  const program = await programOf(spec, quietIo);
  const node = nodeOf(program, []);
  const byName = new Map(commandsOf(node).map((one) => [one.path[1], one]));
  const groups = spec.groups.map(({ title, commands }) => ({
    title: title.replace(/:$/, ''),
    commands: Object.keys(commands).map((name) => {
      const found = byName.get(name);
      if (found === undefined) throw new Error(`${spec.name}: ${name} adds a command of another name`);
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

function helpOf(from: Command): string {
  const parts: string[] = [];
  from.configureOutput({ writeOut: (part) => parts.push(part), getOutHasColors: () => false });
  from.outputHelp();
  return parts.join('');
}

function optionOf(option: Option) {
  const [, name] = /[<[]([^>\]]+)[>\]]/.exec(option.flags) ?? [];
  if (!option.long) throw new Error(`option without a long name: ${option.flags}`);
  const { short = null, long, flags, argChoices } = option;
  const value = name === undefined ? null : { name, ...kindOf(name, argChoices) };
  /** `-k` or null, `--number`, `-k, --number <N>`; a switch has no value. */
  return { short, long, flags, summary: withDefault(option), value };
}

function withDefault({ description, defaultValue }: Option): string {
  return defaultValue === undefined ? description : `${description} (default: ${String(defaultValue)})`;
}

function argumentOf(argument: Argument) {
  const name = argument.name();
  const { description: summary, argChoices } = argument;
  return { name, shown: shownArgument(argument), summary, value: kindOf(name, argChoices) };
}

/** By the names that our commands use for values. */
function kindOf(name: string, choices: readonly string[] | undefined): Value {
  if (choices !== undefined) return { kind: 'choice', choices };
  if (name === 'CLIENT') return { kind: 'choice', choices: assistants.map((one) => one.name) };
  if (/^(FILE|PATH)\b/.test(name)) return { kind: 'file' };
  return { kind: /^(DIR|FOLDER)\b/.test(name) ? 'folder' : 'text' };
}
