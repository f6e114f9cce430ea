import {
  allCommands,
  type CommandNode,
  commandsOf,
  type OptionNode,
  spoken,
  type Value,
  wordsOf,
} from './tree.ts';

export function fishCompletion(program: CommandNode): string {
  const [name = ''] = program.path;
  const all = allCommands(program);
  return `# fish completion of ${name}.
function __${name}_at
    set -l command ''
    set -l words (commandline -opc)
    for word in $words[2..]
        switch "$command $word"
            case ${spoken(program).join(' ')}
                set command (string trim -- "$command $word")
        end
    end
    test "$command" = "$argv[1]"
end
complete -c ${name} -f
${all.flatMap((node) => linesOf(node, name)).join('\n')}
`;
}

function linesOf(node: CommandNode, name: string): string[] {
  const start = `complete -c ${name} -n "__${name}_at '${wordsOf(node)}'"`;
  return [
    ...commandsOf(node).map(({ path, summary }) => `${start} -a ${path.at(-1)} -d ${quoted(summary)}`),
    ...node.options.map((option) => `${start} ${flagsOf(option)} -d ${quoted(option.summary)}`),
    ...node.arguments.flatMap(({ value }) => (value.kind === 'text' ? [] : [`${start} ${offer(value)}`])),
  ];
}

function flagsOf({ short, long, value }: OptionNode): string {
  const flags = short === null ? `-l ${long.slice(2)}` : `-s ${short.slice(1)} -l ${long.slice(2)}`;
  if (value === null) return flags;
  return value.kind === 'text' ? `${flags} -x` : `${flags} -r ${offer(value)}`;
}

function offer(value: Value): string {
  if (value.kind === 'choice') return `-a '${value.choices.join(' ')}'`;
  return { text: '', file: '-F', folder: "-a '(__fish_complete_directories)'" }[value.kind];
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
