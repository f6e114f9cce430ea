import { nameOf, plain } from '#guard/boundary';
import { sortOptions } from './options.ts';
import { type Command, named, type State } from './state.ts';
import { type Stdin, unknownWord, type Word, wordsIn } from './stdin.ts';

/** Sets variables in a way that is not modelled: each name among the words may hold any text. */
const setUnread = (words: readonly Word[], state: State): void => {
  const names = words.flatMap(({ text }) => text.match(/[A-Za-z_]\w*/g) ?? []);
  for (const name of [...names, 'OPTARG']) state.setValues(name, [unknownWord]);
};

/** `name=value` among the words of `export` and its kin; assignments that the parser knows are made already. */
const declare: Command = (words, state) => {
  // A reference to another variable, or a change of case.
  if (words.some(({ text }) => /^-\w*[nlu]/.test(text))) return setUnread(words, state);
  for (const { text } of words) {
    const [, name, value] = /^(\w+)(?:\[[^\]]*\])?\+?=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined || state.variables.has(name)) continue;
    state.assign(name, [plain(value)]);
  }
};

/** A command in an option: `mapfile -C`, `compgen -C`. */
const callback = (words: readonly Word[], state: State): void => {
  for (const { text } of sortOptions(words, { short: 'CcnOAFGPSWXo' }).values('C')) state.run(text);
};

/** `read` and `mapfile`: every name may hold any word of the input, or a line of it. */
const read: Command = (words, state, stdin) => {
  callback(words, state);
  const names = words.map(({ text }) => text).filter((text) => /^[A-Za-z_]\w*$/.test(text));
  const values = wordsIn(stdin, state.separators);
  for (const name of [...names, 'REPLY', 'MAPFILE'])
    state.assign(name, values.length === 0 ? [plain('')] : values);
};

const set: Command = (words, state) => {
  if (words.some(({ text }) => /^(?:dotglob|nullglob|extended_glob)$/i.test(text)))
    state.findings.isLoose = true;
  const at = words.findIndex(({ text }) => text === '--' || text === '-' || !/^[-+]/.test(text));
  if (at === -1 || /^[-+]o$/.test(words[at - 1]?.text ?? '')) return;
  const values = words.slice(/^--?$/.test(words[at]?.text ?? '') ? at + 1 : at);
  const isSure = state.conditions === 0;
  state.positional = isSure ? values : [...state.positional, ...values];
  state.isShifted = !isSure;
};

const source: Command = (words, state, stdin) => {
  const [file, ...values] = words.filter(({ text }) => text !== '--');
  if (file === undefined) return;
  if (values.length > 0) state.positional = values;
  runInside(scriptsAt(file, stdin, state), state);
};

/** Runs texts in the shell itself, not in a subshell. */
function runInside(texts: readonly string[], state: State): void {
  state.depth += 1;
  for (const text of texts) state.runHere(text);
  state.depth -= 1;
}

/** The text of a script that is a process substitution or the standard input; none for a file. */
export function scriptsAt(file: Word, stdin: Stdin, state: State): readonly string[] {
  const isInput = /^(?:-|\/dev\/stdin|(?:\/dev|\/proc\/(?:self|\d+))\/fd\/0)$/.test(file.text);
  const from = isInput ? stdin : state.findings.pipeAt(file.text);
  return from?.texts ?? [];
}

const changeFolder: Command = (words, state) => {
  const at = words.findIndex(({ text }) => text === '-' || !/^-(?:-|[LPe@]+)$/.test(text));
  state.changeFolder(words[at]);
};

const shopt: Command = (words, state) => {
  if (words.some(({ text }) => /glob/.test(text))) state.findings.isLoose = true;
};

/** Commands that change the shell itself. */
export const builtins: Readonly<Record<string, Command>> = {
  cd: changeFolder,
  // Without a folder, or with a number, it turns a stack that is not modelled.
  pushd: (words, state) => {
    const to = words.find(({ text }) => text !== '-n' && text !== '--');
    state.changeFolder(to === undefined || /^[-+]\d+$/.test(to.text) ? unknownWord : to);
  },
  popd: (_, state) => state.changeFolder(unknownWord),
  unset: (words, state) => {
    for (const { text } of words) if (state.conditions === 0) state.variables.delete(text);
  },
  ...named('read mapfile readarray', read),
  set,
  // Which word is which afterwards is not modelled.
  shift: (_, state) => {
    state.isShifted = true;
  },
  ...named('export declare typeset local readonly', declare),
  ...named('source .', source),
  ...named('getopts let wait', setUnread),
  printf: (words, state) => {
    if (words[0]?.text === '-v') setUnread(words.slice(1, 2), state);
  },
  // `bind -x '"KEYS": COMMAND'`
  bind: (words, state) => {
    for (const { text } of sortOptions(words, { short: 'mquxrf' }).values('x'))
      state.run(
        text.replace(/^\s*(?:"(?:\\.|[^"\\])*"|[^\s:]*)\s*:?\s*/, '').replace(/^(["'])(.*)\1$/s, '$2'),
      );
  },
  ...named('compgen complete', callback),
  history: (words, state) => {
    const options = sortOptions(words);
    if (options.has('w', 'a')) state.emitAll('write', options.operands);
  },
  ...named('shopt setopt', shopt),
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
  eval: (words, state) => {
    const texts = words.map(({ text }) => text);
    runInside([texts.slice(texts[0] === '--' ? 1 : 0).join(' ')], state);
  },
  trap: (words, state) => state.run(sortOptions(words).operands[0]?.text ?? ''),
};
