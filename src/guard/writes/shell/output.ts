import type { CommandNode, CompoundList, Pipeline, Script, Statement } from 'unbash';
import { shellDepthMax, shellWordCharsMax } from '../../../core/limits.ts';
import { nameOf, unread } from '../../boundary/index.ts';
import { searchOf } from './find.ts';
import { inputOf, invocationOf } from './invocation.ts';
import { listingOf } from './listings.ts';
import { resolveIn, type State } from './state.ts';
import { type Invocation, type Stdin, unknownInput, unknownWord, type Word, wordsIn } from './stdin.ts';
import { temporaryOf } from './temporary.ts';

/** What a script prints, by its text alone. Finds no writes: what runs in it is read elsewhere. */
export function outputOf(script: Script | CompoundList, state: State, stdin: Stdin = unknownInput): Stdin {
  if (state.depth >= shellDepthMax) return unknownInput;
  const inner = state.subshell();
  return together(script.commands.map(({ command }) => outputOfNode(command, inner, stdin)));
}

type Node = Statement['command'] | CommandNode | CompoundList;

function outputOfNode(node: Node, state: State, stdin: Stdin): Stdin {
  if (!state.findings.step()) return unknownInput;
  switch (node.type) {
    case 'Command': {
      const invocation = invocationOf(node, state, stdin);
      // `$(< file)` prints the file.
      if (invocation.words.length === 0) return inputOf(node.redirects, state) ?? silent;
      return outputOfCommand(invocation, state);
    }
    case 'Pipeline':
      return outputOfPipeline(node, state, stdin);
    case 'AndOr':
      return together(node.commands.map((command) => outputOfNode(command, state, stdin)));
    case 'Redirected':
      return outputOfNode(node.command, state, inputOf(node.redirects, state) ?? stdin);
    case 'Subshell':
    case 'BraceGroup':
      return outputOf(node.body, state, stdin);
    case 'CompoundList':
      return outputOf(node, state, stdin);
    case 'ArithmeticCommand':
    case 'ArithmeticFor':
    case 'Case':
    case 'Coproc':
    case 'For':
    case 'Function':
    case 'If':
    case 'Select':
    case 'TestCommand':
    case 'While':
      return unknownInput;
  }
}

function outputOfPipeline(node: Pipeline, state: State, stdin: Stdin): Stdin {
  let given = stdin;
  for (const command of node.commands) given = outputOfNode(command, state.subshell(), given);
  return given;
}

/** The outputs one after another, or one of them: `a || b` counts as both. */
function together(all: readonly Stdin[]): Stdin {
  const spoken = all.filter(({ texts }) => texts.some((text) => text !== ''));
  const [only, ...others] = spoken;
  if (only === undefined) return silent;
  if (others.length === 0) return only;
  return { texts: [spoken.map(({ texts }) => texts[0]).join(''), ...spoken.flatMap(({ texts }) => texts)] };
}

const silent: Stdin = { texts: [''] };

/** What one command gives to the next in a pipeline, or to the word that it is in. */
export function outputOfCommand({ words, stdin }: Invocation, state: State): Stdin {
  const [name, ...rest] = words;
  if (name === undefined) return silent;
  const program = name.text.slice(name.text.lastIndexOf('/') + 1);
  const called = state.functions.get(program);
  if (called !== undefined) return outputOfFunction(called.body, rest, state, stdin);
  if (program === 'cd') {
    state.isChained = true;
    state.changeFolder(operands(rest)[0]);
    state.isChained = false;
  }
  if (wrapped.has(program)) return outputOfCommand({ words: operands(rest), stdin }, state);
  if (quiet.has(program)) return silent;
  if (filters.has(program)) return listingOf(program, rest, state) ?? stdin;
  if (program === 'cat') return outputOfCat(rest, state, stdin);
  const texts = Object.hasOwn(printers, program) ? printers[program]?.(rest, state, stdin) : undefined;
  return texts === undefined ? (listingOf(program, rest, state) ?? unknownInput) : { texts };
}

function outputOfFunction(body: Node, words: readonly Word[], state: State, stdin: Stdin): Stdin {
  if (state.depth >= shellDepthMax) return unknownInput;
  const inner = state.subshell();
  inner.positional = words;
  return outputOfNode(body, inner, stdin);
}

function outputOfCat(words: readonly Word[], state: State, stdin: Stdin): Stdin {
  const [file, ...others] = operands(words);
  if (others.length > 0) return unknownInput;
  if (file === undefined || file.text === '-') return stdin;
  return state.findings.pipeAt(file.text) ?? { ...unknownInput, file };
}

const wrapped = new Set(['builtin', 'sudo', 'time', 'nice', 'nohup']);
const quiet = new Set(
  'cd : true false test [ mkdir touch rm cp mv ln chmod export local declare readonly typeset set shopt unset shift pushd popd sleep exit return'.split(
    ' ',
  ),
);
/** Programs that print lines of their input. */
const filters = new Set(['sort', 'head', 'tail', 'uniq', 'grep', 'egrep', 'tac', 'tee', 'shuf']);

/** The texts of which the program prints one. */
type Printer = (words: readonly Word[], state: State, stdin: Stdin) => readonly string[];

function operands(words: readonly Word[]): readonly Word[] {
  return words.filter(({ text }) => !/^-./.test(text));
}

function textsOf(words: readonly Word[]): readonly string[] {
  return words.map(({ text }) => text);
}

function echo(words: readonly Word[]): readonly string[] {
  const text = textsOf(words.filter((word) => !/^-[neE]+$/.test(word.text))).join(' ');
  const isEscaped = words.some((word) => /^-[nE]*e/.test(word.text)) || /\\[0x]/.test(text);
  return [`${isEscaped ? unescaped(text) : text}\n`];
}

/** `printf FORMAT WORD...`: the format is used again until no word is left. */
function printf(words: readonly Word[]): readonly string[] {
  const [format = unknownWord, ...values] = words[0]?.text === '--' ? words.slice(1) : words;
  const waiting = [...textsOf(values)];
  let text = '';
  for (let before = -1; before !== waiting.length && text.length <= shellWordCharsMax; ) {
    before = waiting.length;
    text += unescaped(format.text).replace(/%(?:%|[^%a-zA-Z]*[a-zA-Z])/g, (directive) => {
      if (directive === '%%') return '%';
      const value = waiting.shift() ?? '';
      if (directive === '%s') return value;
      return /[dixu]$/.test(directive) ? unread.number : unread.any;
    });
    if (waiting.length === 0) break;
  }
  return [text.length > shellWordCharsMax ? unread.any : text];
}

/** The common escapes of `echo -e` and `printf`; another one may stand for any text. */
function unescaped(text: string): string {
  const named: Readonly<Record<string, string>> = {
    n: '\n',
    t: '\t',
    '0': '\n',
    '\\': '\\',
    '"': '"',
    "'": "'",
  };
  const escapes = /\\(x[\da-f]{1,2}|u[\da-f]{1,8}|0?[0-7]{1,3}|.)/gis;
  return text.replace(escapes, (whole, kind: string) => {
    if (Object.hasOwn(named, kind)) return named[kind] ?? whole;
    return /^[\dxuabcefrv]/i.test(kind) ? unread.any : whole;
  });
}

const printers: Readonly<Record<string, Printer>> = {
  echo,
  printf,
  pwd: (_, state) => state.from,
  dirname: (words) => textsOf(operands(words)).map(folderOf),
  basename: (words) => {
    const [file = unknownWord, suffix] = operands(words);
    const name = nameOf(file.text.includes('\u0000') || file.pattern !== null ? unread.any : file.text);
    const end = suffix?.text ?? '';
    return [end !== '' && name.endsWith(end) ? name.slice(0, -end.length) : name];
  },
  realpath: realPathsOf,
  readlink: realPathsOf,
  command: (words) => (words[0]?.text === '-v' ? textsOf(words.slice(1)) : [unread.any]),
  which: (words) => textsOf(operands(words)),
  type: (words) => textsOf(operands(words)),
  find: (words, state) => [state.findings.markOf(searchOf(words, state))],
  mktemp: (words, state) => [temporaryOf(words, state)],
  date: (words) => {
    const isNumber = /^\+(?:%[-_0]?[YmdHMSsNFTjuUVyC]|[-_:,+])+$/;
    const formats = words.filter(({ text }) => text.startsWith('+'));
    return [formats.every(({ text }) => isNumber.test(text)) ? unread.number : unread.name];
  },
  // Other letters make another number of one.
  tr: (_, __, stdin) => stdin.texts.map((text) => (text.trim() === unread.number ? text : unread.any)),
  xargs: (words, _, stdin) => {
    const [name, ...rest] = operands(words);
    return name?.text === 'echo' ? echo([...rest, ...wordsIn(stdin)]) : [unread.any];
  },
  ...Object.fromEntries(
    ['wc', 'id', 'nproc', 'uuidgen', 'pgrep', 'lsof', 'expr', 'getconf', 'seq'].map((name) => [
      name,
      () => [unread.number],
    ]),
  ),
  ...Object.fromEntries(
    ['whoami', 'hostname', 'uname', 'arch', 'logname'].map((name) => [name, () => [unread.name]]),
  ),
};

function folderOf(text: string): string {
  if (/[\u0000\u0001]/.test(text)) return unread.any;
  const trimmed = text.replace(/\/+$/, '');
  const at = trimmed.lastIndexOf('/');
  return at > 0 ? trimmed.slice(0, at) : at === 0 ? '/' : '.';
}

function realPathsOf(words: readonly Word[], state: State): readonly string[] {
  const [folder = '/'] = state.from;
  return textsOf(operands(words)).map((text) =>
    text.includes('\u0000') ? unread.any : resolveIn(folder, text),
  );
}
