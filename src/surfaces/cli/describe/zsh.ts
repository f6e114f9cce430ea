import { allCommands, type CommandNode, commandsOf, type OptionNode, type Value } from './tree.ts';

/** For zsh: as a file `_NAME` in `fpath`, or sourced after `compinit`. */
export function zshCompletion(program: CommandNode): string {
  const [name = ''] = program.path;
  const functions = allCommands(program).toReversed().map(functionOf);
  return `#compdef ${name}
# zsh completion of ${name}.
${functions.join('\n')}
if [[ $funcstack[1] == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}

function functionOf(node: CommandNode): string {
  const specs = node.options.map(optionSpec);
  const commands = commandsOf(node);
  if (commands.length === 0) {
    const values = node.arguments.map(
      ({ name, isVariadic, value }) => `'${isVariadic ? '*' : ''}:${plain(name)}:${action(value)}'`,
    );
    return `${functionName(node)}() {\n  _arguments -s -S \\\n    ${[...specs, ...values].join(' \\\n    ')}\n}`;
  }
  const described = commands.map(({ path, summary }) => `'${path.at(-1)}:${quoted(summary)}'`);
  const cases = commands.map((one) => `        ${one.path.at(-1)}) ${functionName(one)} ;;`);
  return `${functionName(node)}() {
  local curcontext=$curcontext state line
  typeset -A opt_args
  _arguments -C -s -S \\
    ${[...specs, "'1: :->command'", "'*:: :->rest'"].join(' \\\n    ')}
  case $state in
    command)
      local -a commands=(
        ${described.join('\n        ')}
      )
      _describe -t commands '${node.path.join(' ')} command' commands
      ;;
    rest)
      case $line[1] in
${cases.join('\n')}
      esac
      ;;
  esac
}`;
}

function functionName({ path }: CommandNode): string {
  return `_${path.join('_')}`;
}

function optionSpec({ short, long, summary, value }: OptionNode): string {
  const spec = `[${plain(quoted(summary))}]${value === null ? '' : `:${plain(value.name)}:${action(value)}`}`;
  const sign = value === null ? '' : '=';
  return short === null
    ? `'${long}${sign}${spec}'`
    : `'(${short} ${long})'{${short}${value === null ? '' : '+'},${long}${sign}}'${spec}'`;
}

function action(value: Value): string {
  switch (value.kind) {
    case 'choice':
      return `(${value.choices.join(' ')})`;
    case 'file':
      return '_files';
    case 'folder':
      return '_files -/';
    case 'text':
      return '';
  }
}

/** For single quotes. */
function quoted(text: string): string {
  return text.replaceAll("'", `'\\''`);
}

/** Escaped for a specification of `_arguments`. */
function plain(text: string): string {
  return text.replace(/[[\]:\\]/g, (sign) => (sign === '\\' ? sign : `\\${sign}`));
}
