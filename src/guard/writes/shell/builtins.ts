import { hasUnread, nameOf, plain, unread } from '../../boundary/index.ts';
import { knownText } from './invocation.ts';
import { sortOptions } from './options.ts';
import { formatted } from './output.ts';
import type { State } from './state.ts';
import type { Invocation, Stdin } from './stdin.ts';
import { unknownWord, type Word } from './stdin.ts';

/** Runs a text as a script. */
export type RunText = (text: string, state: State) => void;

type Builtin = (words: readonly Word[], state: State, stdin: Stdin, runText: RunText) => void;

/** What changes the shell itself; false for a command that is not one of its own. */
export function runBuiltin(
  program: string,
  { words, stdin }: Invocation,
  state: State,
  runText: RunText,
): boolean {
  if (!Object.hasOwn(builtins, program)) return false;
  builtins[program]?.(words, state, stdin, runText);
  return true;
}

/** `name=value` among the words of `export` and its kin; what the parser took for assignments is set already. */
const declare: Builtin = (words, state) => {
  const isReference = words.some(({ text }) => /^-[a-zA-Z]*n/.test(text));
  const cases = words.map(({ text }) => /^-[a-zA-Z]*([lu])/.exec(text)?.[1]).find((one) => one !== undefined);
  for (const { text } of words) {
    const [, name, value] = /^(\w+)(?:\[[^\]]*\])?\+?=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined) continue;
    if (isReference) state.variables.refer(name, value);
    else if (cases !== undefined)
      state.assign(name, [plain(cases === 'l' ? value.toLowerCase() : value.toUpperCase())]);
    else if (state.variables.values(name) === undefined) state.assign(name, [plain(value)]);
  }
};

/** `read`: every name may be any word of the line, or the line. */
const read: Builtin = (words, state, stdin) => {
  const options = sortOptions(words, { short: 'adinNptu' });
  const names = [...options.operands, ...options.values('a')].map(({ text }) => text);
  const values = inputWords(stdin, state);
  for (const name of names.length === 0 ? ['REPLY'] : names) {
    if (options.has('a')) state.variables.setArray(name, values, false);
    else state.variables.set(name, values, state.conditions > 0);
  }
};

function inputWords(stdin: Stdin, state: State): readonly Word[] {
  if (stdin.search !== undefined) return [plain(state.findings.markOf(stdin.search))];
  const separators = new Set(state.valuesOf('IFS')?.flatMap(({ text }) => [...text]));
  const words = (stdin.words ?? [unknownWord]).flatMap((word) => {
    const parts = [...word.text]
      .map((char) => (separators.has(char) ? '\n' : char))
      .join('')
      .split('\n');
    return parts.length > 1 ? [word, ...parts.filter(Boolean).map(plain)] : [word];
  });
  return words.length === 0 ? [plain('')] : words;
}

const mapfile: Builtin = (words, state, stdin) => {
  const options = sortOptions(words, { short: 'dnOsuCc' });
  const name = options.operands[0]?.text ?? 'MAPFILE';
  const lines =
    stdin.text === null ? inputWords(stdin, state) : stdin.text.split('\n').filter(Boolean).map(plain);
  state.variables.setArray(name, lines, stdin.text !== null);
};

const set: Builtin = (words, state) => {
  if (words.some(({ text }) => /^(?:dotglob|nullglob|extended_glob)$/i.test(text)))
    state.findings.isLoose = true;
  const at = words.findIndex(({ text }) => text === '--' || text === '-' || !/^[-+]/.test(text));
  if (at === -1 || /^[-+]o$/.test(words[at - 1]?.text ?? '')) return;
  const values = words.slice(/^--?$/.test(words[at]?.text ?? '') ? at + 1 : at);
  state.positional = state.conditions > 0 ? [...state.positional, ...values] : values;
  if (state.conditions > 0) state.isShifted = true;
};

const shift: Builtin = (words, state) => {
  if (state.conditions > 0) state.isShifted = true;
  else state.positional = state.positional.slice(Number(words[0]?.text ?? '1') || 1);
};

const source: Builtin = (words, state, stdin, runText) => {
  const [file, ...values] = words.filter(({ text }) => text !== '--');
  const text = file === undefined ? null : textAt(file, stdin, state);
  if (text === null) return;
  if (values.length > 0) state.positional = values;
  state.depth += 1;
  runText(text, state);
  state.depth -= 1;
};

/** The text of a script that is a pipe of the line itself, or its input; null for a file. */
export function textAt(file: Word, stdin: Stdin, state: State): string | null {
  const isInput = /^(?:-|\/dev\/stdin|(?:\/dev|\/proc\/(?:self|\d+))\/fd\/0)$/.test(file.text);
  const from = isInput ? stdin : state.findings.pipeAt(file.text);
  return from === null ? null : knownText(from);
}

const getopts: Builtin = (words, state) => {
  const [, name, ...told] = words;
  const given = told.length > 0 ? told : state.positional;
  const values = given.flatMap((word) => [word, plain(word.text.slice(2))]);
  state.variables.set('OPTARG', values.length === 0 ? [unknownWord] : values);
  if (name !== undefined) state.variables.set(name.text, [plain(unread.number)]);
};

const builtins: Readonly<Record<string, Builtin>> = {
  cd: (words, state) => {
    const at = words.findIndex(({ text }) => text === '-' || !/^-(?:-|[LPe@]+)$/.test(text));
    state.changeFolder(words[at]);
  },
  pushd: (words, state) => {
    const to = words.find(({ text }) => text !== '-n' && text !== '--');
    const before = state.from;
    const isTurn = to === undefined || /^[-+]\d+$/.test(to.text);
    if (isTurn) state.from = [...new Set([...state.stack.flat(), ...before])];
    else state.changeFolder(to);
    state.stack.push(before);
  },
  popd: (words, state) => {
    const before = state.from;
    const last = state.stack.pop();
    const isTurn = words.some(({ text }) => /^[-+]\d+$/.test(text));
    state.from = isTurn
      ? [...new Set([...(last ?? []), ...state.stack.flat(), ...before])]
      : (last ?? [unread.any]);
    state.isDoubtful ||= isTurn;
  },
  unset: (words, state) => {
    for (const { text } of words) if (state.conditions === 0) state.variables.forget(text);
  },
  read,
  mapfile,
  readarray: mapfile,
  set,
  shift,
  export: declare,
  declare,
  typeset: declare,
  local: declare,
  readonly: declare,
  source,
  '.': source,
  getopts,
  let: (words, state) => {
    for (const { text } of words) {
      const name = /^\(*\s*([A-Za-z_]\w*)\s*(?:[-+*/%&|^]|<<|>>)?=/.exec(text)?.[1];
      if (name !== undefined) state.assign(name, [plain(unread.number)]);
    }
  },
  shopt: (words, state) => {
    if (words.some(({ text }) => /glob/.test(text))) state.findings.isLoose = true;
  },
  setopt: (_, state) => {
    state.findings.isLoose = true;
  },
  alias: (words, state) => {
    for (const { text } of words) {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
      if (name !== undefined && value !== undefined) state.aliases.set(name, value);
    }
  },
  hash: (words, state) => {
    const at = words.findIndex(({ text }) => text === '-p');
    const [file, name] = words.slice(at + 1);
    if (at !== -1 && file !== undefined && name !== undefined)
      state.aliases.set(name.text, nameOf(file.text));
  },
  eval: (words, state, _, runText) => {
    const from = words[0]?.text === '--' ? 1 : 0;
    state.depth += 1;
    runText(
      words
        .slice(from)
        .map(({ text }) => text)
        .join(' '),
      state,
    );
    state.depth -= 1;
  },
  trap: (words, state, _, runText) => {
    const [first] = sortOptions(words).operands;
    if (first !== undefined) runText(first.text, state.subshell());
  },
};

/** `printf -v NAME FORMAT WORD...` sets a variable. */
export function assignPrinted(words: readonly Word[], state: State): void {
  const at = words.findIndex(({ text }) => text === '-v');
  const name = words[at + 1]?.text;
  if (at === -1 || name === undefined || hasUnread(name)) return;
  state.assign(name, [plain(formatted(words.slice(at + 2)) ?? unread.any)]);
}
