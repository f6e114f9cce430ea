import { type CommandNode, commandsOf } from './tree.ts';

export function markdownPage(programs: readonly CommandNode[]): string {
  const head = 'Generated from the programs by `node scripts/describe.mjs`. `--help` prints the same.';
  return ['# Commands', head, ...programs.flatMap(programPart)].map((part) => `${part}\n\n`).join('');
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
  const examples = ['```sh', ...node.examples, '```'].join('\n');
  return [`**${code(usage)}**: ${node.summary}`, list, examples].filter((part) => part !== '').join('\n\n');
}

function code(text: string): string {
  return `\`${text}\``;
}
