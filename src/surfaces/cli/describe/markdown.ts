import { type Entry, environment, exitStatuses, files } from './reference.ts';
import { type CommandNode, commandsOf } from './tree.ts';

export function markdownPage(programs: readonly CommandNode[]): string {
  const parts = [
    '# Commands',
    'Generated from the programs by `node scripts/describe.mjs`. `--help` prints the same.',
    ...programs.flatMap(programPart),
    '## Exit status',
    table(['status', 'means'], exitStatuses),
    '## Environment',
    table(['variable', 'effect'], environment),
    '## Files',
    table(['file', 'holds'], files),
  ];
  return `${parts.join('\n\n')}\n`;
}

function programPart(program: CommandNode): string[] {
  const groups = program.groups.flatMap(({ title, commands }) => [
    `### ${title}`,
    ...commands
      .flatMap((node) => (commandsOf(node).length > 0 ? [node, ...commandsOf(node)] : [node]))
      .map(commandPart),
  ]);
  return [`## ${program.path.join(' ')}`, program.summary, ...groups];
}

function commandPart(node: CommandNode): string {
  const usage = [...node.path, ...node.arguments.map(({ shown }) => shown)].join(' ');
  const rows = [
    ...node.arguments
      .filter(({ summary }) => summary !== '')
      .map(({ name, summary }) => ({ name, text: summary })),
    ...node.options
      .filter(({ long }) => long !== '--help')
      .map(({ flags, summary }) => ({ name: flags, text: summary })),
  ];
  const list = rows.map(({ name, text }) => `- ${code(name)}: ${text}`).join('\n');
  const isGroup = commandsOf(node).length > 0;
  const examples = isGroup ? '' : ['```sh', ...node.examples, '```'].join('\n');
  return [`**${code(usage)}**: ${node.summary}`, list, examples].filter((part) => part !== '').join('\n\n');
}

function table([left, right]: readonly [string, string], entries: readonly Entry[]): string {
  const rows = entries.map(({ name, text }) => `| ${code(name)} | ${text.replaceAll('|', '\\|')} |`);
  return [`| ${left} | ${right} |`, '|---|---|', ...rows].join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}
