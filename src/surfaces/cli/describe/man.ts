import { type Entry, environment, exitStatuses, files } from './reference.ts';
import { type CommandNode, commandsOf, type OptionNode } from './tree.ts';

/** The manual page of a program, section 1, in the `man` macros (man(7)). */
export function manPage(program: CommandNode, version: string): string {
  const [name = ''] = program.path;
  const lead = `${program.summary.charAt(0).toLowerCase()}${program.summary.slice(1)}`.replace(/\.$/, '');
  const lines = [
    `.TH ${name.toUpperCase()} 1 "" "memd ${version}" "User Commands"`,
    '.SH NAME',
    `${name} \\- ${escaped(lead)}`,
    '.SH SYNOPSIS',
    `.B ${name}`,
    '.I COMMAND',
    '.RI [ OPTIONS ]',
    '.SH OPTIONS',
    ...program.options.flatMap(optionLines),
    '.SH COMMANDS',
    ...program.groups.flatMap(({ title, commands }) => [
      `.SS ${escaped(title)}`,
      ...commands.flatMap(commandLines),
    ]),
    ...section('EXIT STATUS', exitStatuses),
    ...section('ENVIRONMENT', environment),
    ...section('FILES', files),
    '.SH EXAMPLES',
    ...exampleLines(program.examples),
    '.SH SEE ALSO',
    `.BR ${name === 'memd' ? 'mem' : 'memd'} (1)`,
  ];
  return `${lines.join('\n')}\n`;
}

function commandLines(node: CommandNode): string[] {
  const children = commandsOf(node);
  const usage = node.arguments.map(({ shown }) => ` \\fI${escaped(shown)}\\fR`).join('');
  return [
    '.TP',
    `\\fB${escaped(node.path.join(' '))}\\fR${usage}${children.length > 0 ? ' \\fICOMMAND\\fR' : ''}`,
    text(sentence(node.summary)),
    '.RS',
    ...node.arguments.flatMap(({ name, summary }) =>
      summary === '' ? [] : ['.TP', `\\fI${escaped(name)}\\fR`, text(summary)],
    ),
    ...node.options.filter(({ long }) => long !== '--help').flatMap(optionLines),
    ...(children.length > 0 ? children.flatMap(commandLines) : exampleLines(node.examples)),
    '.RE',
  ];
}

function optionLines({ flags, summary }: OptionNode): string[] {
  return ['.TP', `\\fB${escaped(flags)}\\fR`, text(summary)];
}

function exampleLines(examples: readonly string[]): string[] {
  return examples.length === 0 ? [] : ['.PP', '.nf', ...examples.map((line) => text(`$ ${line}`)), '.fi'];
}

function section(title: string, entries: readonly Entry[]): string[] {
  return [
    `.SH ${title}`,
    ...entries.flatMap((entry) => ['.TP', `\\fB${escaped(entry.name)}\\fR`, text(entry.text)]),
  ];
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** A line of text, which must not be taken for a request. */
function text(words: string): string {
  return escaped(words).replace(/^[.']/, '\\&$&');
}

/** A hyphen that a person may copy is a minus; the rest is what roff gives a meaning. */
function escaped(words: string): string {
  return words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti');
}
