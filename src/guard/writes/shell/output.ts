import type { CommandNode, CompoundList, Pipeline, Script, Statement } from 'unbash';
import { shellDepthMax, shellWordCharsMax } from '../../../core/limits.ts';
import { hasUnread, nameOf, plain, unread } from '../../boundary/index.ts';
import { searchOf } from './find.ts';
import { inputOf, invocationOf } from './invocation.ts';
import { listingOf } from './listings.ts';
import { unescaped } from './parameters.ts';
import { resolveIn, type State } from './state.ts';
import { type Invocation, noStdin, type Stdin, unknownWord, type Word } from './stdin.ts';
import { temporaryOf } from './temporary.ts';

/** What a script puts out, as far as its text tells. Finds no writes: what runs in it is looked at elsewhere. */
export function outputOf(script: Script | CompoundList, state: State, stdin: Stdin = noStdin): Stdin {
  if (state.depth >= shellDepthMax) return noStdin;
  const inner = state.subshell();
  return together(script.commands.map(({ command }) => outputOfNode(command, inner, stdin)));
}

type Node = Statement['command'] | CommandNode | CompoundList;

function outputOfNode(node: Node, state: State, stdin: Stdin): Stdin {
  if (!state.findings.step()) return noStdin;
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
      return noStdin;
  }
}

function outputOfPipeline(node: Pipeline, state: State, stdin: Stdin): Stdin {
  let given = stdin;
  for (const command of node.commands) given = outputOfNode(command, state.subshell(), given);
  return given;
}

/** One after another; alternatives (`a || b`) count as both. */
function together(all: readonly Stdin[]): Stdin {
  const said = all.filter(({ text }) => text !== '');
  const [only, ...others] = said;
  if (only === undefined) return silent;
  if (others.length === 0) return only;
  const words = said.flatMap((one) => one.words ?? [unknownWord]);
  const isKnown = said.every(({ text }) => text !== null);
  const text = isKnown ? said.map((one) => one.text).join('') : null;
  return { words: text === null ? words : [...words, plain(text.trim())], text: null };
}

const silent: Stdin = { words: [], text: '' };

/** What one command gives to the next in a pipeline, or to what it stands in. */
export function outputOfCommand({ words, stdin }: Invocation, state: State): Stdin {
  const [name, ...rest] = words;
  if (name === undefined) return silent;
  const program = name.text.slice(name.text.lastIndexOf('/') + 1);
  const called = state.functions.get(program);
  if (called !== undefined) return outputOfFunction(called.body, rest, state, stdin);
  if (program === 'cd') {
    state.isChained = true;
    state.changeFolder(rest.find((word) => !/^-[LPe@-]+$/.test(word.text)));
    state.isChained = false;
  }
  if (wrapped.has(program))
    return outputOfCommand({ words: rest.filter(({ text }) => !text.startsWith('-')), stdin }, state);
  if (quiet.has(program)) return silent;
  const told = Object.hasOwn(printers, program) ? printers[program]?.(rest, state, stdin) : undefined;
  return told ?? listingOf(program, rest, state) ?? noStdin;
}

function outputOfFunction(body: Node, words: readonly Word[], state: State, stdin: Stdin): Stdin {
  if (state.depth >= shellDepthMax) return noStdin;
  const inner = state.subshell();
  inner.positional = words;
  return outputOfNode(body, inner, stdin);
}

const wrapped = new Set(['builtin', 'sudo', 'time', 'nice', 'nohup']);
const quiet = new Set(
  'cd : true false test [ mkdir touch rm cp mv ln chmod export local declare readonly typeset set shopt unset shift pushd popd sleep exit return'.split(
    ' ',
  ),
);

type Printer = (words: readonly Word[], state: State, stdin: Stdin) => Stdin;

const one = (text: string): Stdin => ({ words: [plain(text)], text: hasUnread(text) ? null : text });
const each = (words: readonly Word[]): Stdin => {
  const [only, ...others] = words;
  return only !== undefined && others.length === 0 && only.pattern === null
    ? one(only.text)
    : { words, text: null };
};
const some =
  (text: string): Printer =>
  () =>
    one(text);
const operands = (words: readonly Word[]): readonly Word[] => words.filter(({ text }) => !/^-./.test(text));

function echo(words: readonly Word[]): Stdin {
  const said = words.filter(({ text }) => !/^-[neE]+$/.test(text));
  const isKnown = said.every((word) => word.pattern === null && !/[\u0000-\u0003]/.test(word.text));
  const text = said.map((word) => word.text).join(' ');
  const isEscaped = words.some((word) => /^-[nE]*e/.test(word.text)) || /\\[0x]/.test(text);
  // What cannot be told whole is not run: half a line means something else.
  if (!isKnown)
    return said.length > 1 ? { words: [...said, plain(text)], text: null } : { words: said, text: null };
  const shown = isEscaped ? unescaped(text) : text;
  return { words: shown === text ? said : shown.split(/\s+/).map(plain), text: `${shown}\n` };
}

/** `printf FORMAT WORD...`: the format is used anew until no word is left. */
export function formatted(words: readonly Word[]): string | null {
  const [format, ...values] = words[0]?.text === '--' ? words.slice(1) : words;
  if (
    format === undefined ||
    [format, ...values].some((word) => word.pattern !== null || word.text.includes('\u0000'))
  )
    return null;
  const waiting = [...values];
  let text = '';
  for (let turns = values.length + 1; turns > 0; turns -= 1) {
    const before = waiting.length;
    text += unescaped(format.text).replace(
      /%(%|[-+ #0]*[\d*]*(?:\.[\d*]+)?([a-zA-Z]))/g,
      (_, all: string, kind?: string) => {
        if (all === '%') return '%';
        const value = waiting.shift()?.text ?? '';
        if (kind === 'b') return unescaped(value);
        return all.length === 1 && /[sqd]/.test(all)
          ? value
          : hasUnread(value) || kind !== 's'
            ? unread.any
            : `${value}${all.includes('.') ? unread.any : ''}`;
      },
    );
    if (text.length > shellWordCharsMax) return null;
    if (waiting.length === 0 || waiting.length === before) break;
  }
  return text;
}

function printf(words: readonly Word[]): Stdin {
  const text = formatted(words);
  if (text === null) return { words: words.slice(1), text: null };
  const said = text.split(/[\s\u0000]+/).filter((word) => word !== '');
  if (hasUnread(text)) return { words: [...said.map(plain), plain(text.trim())], text: null };
  return { words: said.map(plain), text: text.replaceAll('\u0000', '\n') };
}

const printers: Readonly<Record<string, Printer>> = {
  echo,
  printf,
  pwd: (_, state) => each(state.from.map(plain)),
  dirname: (words) => each(operands(words).map(({ text }) => plain(folderOf(text)))),
  basename: (words) => {
    const [file = unknownWord, suffix] = operands(words);
    const name = nameOf(file.text.includes('\u0000') || file.pattern !== null ? unread.any : file.text);
    return one(
      suffix !== undefined && name.endsWith(suffix.text)
        ? name.slice(0, name.length - suffix.text.length)
        : name,
    );
  },
  realpath: (words, state) => each(placesOf(words, state)),
  readlink: (words, state) => each(placesOf(words, state)),
  command: (words) => (words[0]?.text === '-v' ? each(words.slice(1)) : noStdin),
  which: (words) => each(operands(words)),
  type: (words) => each(operands(words)),
  cat: (words, state, stdin) => {
    const [file, ...others] = operands(words);
    if (file === undefined || file.text === '-') return others.length === 0 ? stdin : noStdin;
    return others.length > 0 ? noStdin : (state.findings.pipeAt(file.text) ?? { ...noStdin, file });
  },
  find: (words, state) => ({ ...noStdin, search: searchOf(words, state) }),
  mktemp: (words, state) => one(temporaryOf(words, state)),
  date: (words) =>
    one(
      words.some(
        ({ text }) => text.startsWith('+') && !/^\+(?:%[-_0]?[YmdHMSsNFTjuUVyC]|[-_:,+])+$/.test(text),
      )
        ? unread.name
        : unread.number,
    ),
  seq: (words) => {
    const numbers = words.map(({ text }) => Number(text));
    const [from, to] = numbers.length === 1 ? [1, numbers[0] ?? 0] : [numbers[0] ?? 0, numbers.at(-1) ?? 0];
    if (numbers.length > 2 || !(to - from < seqMax)) return one(unread.number);
    return each(Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => plain(String(from + at))));
  },
  tr: (words, _, stdin) => {
    // From one case to the other, or without what a word does not hold.
    const [from = '', to = ''] = words.map(({ text }) => text);
    const isLower = /upper|A-Z/.test(from) && /lower|a-z/.test(to);
    if (from === '-d' && /^(?:\\[nrt]|\[:space:\]|\s)+$/.test(to)) return { words: stdin.words, text: null };
    if (!isLower && !(/lower|a-z/.test(from) && /upper|A-Z/.test(to))) return noStdin;
    const change = (text: string): string => (isLower ? text.toLowerCase() : text.toUpperCase());
    return {
      words: stdin.words?.map(({ text }) => plain(change(text))) ?? null,
      text: stdin.text === null ? null : change(stdin.text),
    };
  },
  xargs: (words, _, stdin) => {
    const [name, ...rest] = operands(words);
    return name?.text === 'echo' ? echo([...rest, ...(stdin.words ?? [unknownWord])]) : noStdin;
  },
  ...Object.fromEntries(
    ['wc', 'id', 'nproc', 'uuidgen', 'pgrep', 'lsof', 'expr', 'getconf'].map((name) => [
      name,
      some(unread.number),
    ]),
  ),
  ...Object.fromEntries(
    ['whoami', 'hostname', 'uname', 'arch', 'logname'].map((name) => [name, some(unread.name)]),
  ),
  ...Object.fromEntries(
    ['sort', 'head', 'tail', 'uniq', 'grep', 'egrep', 'tac', 'tee', 'shuf'].map((name) => [
      name,
      (words: readonly Word[], state: State, stdin: Stdin) => listingOf(name, words, state) ?? stdin,
    ]),
  ),
};

const seqMax = 100;

function folderOf(text: string): string {
  if (/[\u0000\u0001]/.test(text)) return unread.any;
  const trimmed = text.replace(/\/+$/, '');
  const at = trimmed.lastIndexOf('/');
  return at > 0 ? trimmed.slice(0, at) : at === 0 ? '/' : '.';
}

function placesOf(words: readonly Word[], state: State): readonly Word[] {
  const [folder = '/'] = state.from;
  return operands(words).map(({ text }) =>
    text.includes('\u0000') ? unknownWord : plain(resolveIn(folder, text)),
  );
}
