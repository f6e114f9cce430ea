import { allCommands, type CommandNode, commandsOf, spoken, type Value, wordsOf } from './tree.ts';

/** For bash from 3.2 (macOS) on, without other packages. Completion runs no command of memd. */
export function bashCompletion(program: CommandNode): string {
  const [name = ''] = program.path;
  const all = allCommands(program);
  return `# bash completion of ${name}: source <(${name} completion bash)
_${name}() {
    local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command= at IFS=$'\\n'
    COMPREPLY=()
    # In --option=value bash splits at the equals sign.
    if [[ $current == = ]]; then current=; previous=\${COMP_WORDS[COMP_CWORD-1]}
    elif [[ $previous == = ]]; then previous=\${COMP_WORDS[COMP_CWORD-2]}; fi
    for ((at = 1; at < COMP_CWORD; at++)); do
        case "$command \${COMP_WORDS[at]}" in
            ${spoken(program).join(' | ')}) command="\${command:+$command }\${COMP_WORDS[at]}" ;;
        esac
    done
    case "$command $previous" in
${all.flatMap(valueCases).join('\n')}
    esac
    case "$command" in
${all.map(wordCase).join('\n')}
    esac
}
_${name}_files() {
    compopt -o filenames 2>/dev/null
    local one
    # Line by line: a name may contain characters that the shell expands.
    while read -r one; do COMPREPLY+=("$one"); done < <(compgen "$1" -- "$2")
}
complete -F _${name} ${name}
`.replaceAll('_@_files', `_${name}_files`);
}

function valueCases(node: CommandNode): string[] {
  return node.options.flatMap(({ short, long, value }) => {
    if (value === null) return [];
    const flags = [short, long].filter((flag) => flag !== null).map((flag) => `'${wordsOf(node)} ${flag}'`);
    return [`        ${flags.join(' | ')}) ${offer(value)}return ;;`];
  });
}

function wordCase(node: CommandNode): string {
  const options = node.options.flatMap(({ short, long }) => [long, ...(short === null ? [] : [short])]);
  const commands = commandsOf(node).map(({ path }) => path.at(-1));
  const offers = [
    `if [[ $current == -* ]]; then COMPREPLY=($(compgen -W $'${options.join('\\n')}' -- "$current"))`,
    ...(commands.length > 0
      ? [`; else COMPREPLY=($(compgen -W $'${commands.join('\\n')}' -- "$current"))`]
      : argumentOffer(node)),
  ];
  return `        '${wordsOf(node)}') ${offers.join('')}; fi ;;`;
}

/** Offers the kinds of all arguments: to find the position, the script would have to know the values of all options. */
function argumentOffer(node: CommandNode): string[] {
  const offers = node.arguments.map(({ value }) => offer(value)).filter((text) => text !== '');
  return offers.length === 0 ? [] : [`; else ${offers.join('').replace(/; $/, '')}`];
}

function offer(value: Value): string {
  if (value.kind === 'choice')
    return `COMPREPLY+=($(compgen -W $'${value.choices.join('\\n')}' -- "$current")); `;
  return value.kind === 'text' ? '' : `_@_files ${value.kind === 'file' ? '-f' : '-d'} "$current"; `;
}
