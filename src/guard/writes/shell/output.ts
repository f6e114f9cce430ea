import type { CommandNode, CompoundList, Pipeline, Script, Statement } from 'unbash';
import { shellDepthMax, shellWordCharsMax } from '#core/limits';
import { plain, unread } from '#guard/boundary';
import { searchOf } from './find.ts';
import { inputOf, invocationOf } from './invocation.ts';
import { sortOptions } from './options.ts';
import { asLine } from './shells.ts';
import type { State } from './state.ts';
import { type Invocation, type Stdin, unknownInput, unknownWord, type Word } from './stdin.ts';
import { temporaryOf } from './temporary.ts';

/**
 * What a script prints, by its text alone: any text for most programs, since their output only allows a write. Finds no writes: what
 * runs in it is read elsewhere.
 */
export function outputOf(script: Script | CompoundList, state: State, stdin: Stdin = unknownInput): Stdin {
  if (state.depth >= shellDepthMax) return unknownInput;
  const inner = state.subshell();
  return together(script.commands.map(({ command }) => outputOfNode(command, inner, stdin)));
}

type Node = Statement['command'] | CommandNode | CompoundList;

/** The same of one part of it. */
export function outputOfNode(node: Node, state: State, stdin: Stdin): Stdin {
  if (!state.findings.step()) return unknownInput;
  if (node.type === 'Command') {
    const invocation = invocationOf(node, state, stdin);
    // `$(< file)` prints the file.
    if (invocation.words.length === 0) return inputOf(node.redirects, state) ?? silent;
    return outputOfCommand(invocation, state);
  }
  if (node.type === 'Pipeline') return outputOfPipeline(node, state, stdin);
  if (node.type === 'AndOr')
    return together(node.commands.map((command) => outputOfNode(command, state, stdin)));
  if (node.type === 'Subshell' || node.type === 'BraceGroup') return outputOf(node.body, state, stdin);
  return node.type === 'CompoundList' ? outputOf(node, state, stdin) : unknownInput;
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
  if (state.functions.has(program)) return unknownInput;
  if (filters.has(program) && !rest.some(({ text }) => /^-\w*[lL]/.test(text))) return stdin;
  if (program === 'cat') return outputOfCat(rest, state, stdin);
  const texts = textsOf(program, rest, state);
  return texts === null ? unknownInput : { texts };
}

function outputOfCat(words: readonly Word[], state: State, stdin: Stdin): Stdin {
  const [file, ...others] = operands(words);
  if (others.length > 0) return unknownInput;
  if (file === undefined || file.text === '-') return stdin;
  return state.findings.pipeAt(file.text) ?? { ...unknownInput, file };
}

/** Programs that print lines of their input. */
const filters = new Set(['sort', 'head', 'tail', 'uniq', 'grep', 'tee']);

/** The texts of which the program prints one; null for any text. */
function textsOf(program: string, words: readonly Word[], state: State): readonly string[] | null {
  switch (program) {
    case 'echo':
      return echo(words);
    case 'printf':
      return printf(words);
    case 'pwd':
      return state.from;
    case 'find':
      return [state.findings.markOf(searchOf(words, state))];
    case 'grep':
    case 'rg':
      return listedByGrep(words, state);
    case 'date':
      return [unread.name];
    case 'mktemp':
      return [temporaryOf(words, state)];
    case 'git':
      return asLine(words) === 'rev-parse --show-toplevel' ? [state.setting.top ?? unread.any] : null;
    default:
      return null;
  }
}

function listedByGrep(words: readonly Word[], state: State): readonly string[] | null {
  const options = sortOptions(words, { short: 'efmABCgtTd', long: 'regexp file include exclude glob type' });
  if (!options.has('l', 'files-with-matches', 'files')) return null;
  const starts = options.operands.slice(options.has('e', 'regexp', 'files') ? 0 : 1);
  return [state.findings.markOf({ starts: starts.length > 0 ? starts : [plain('.')], names: [] })];
}

function operands(words: readonly Word[]): readonly Word[] {
  return words.filter(({ text }) => !/^-./.test(text));
}

function echo(words: readonly Word[]): readonly string[] {
  const plainWords = words.filter((word) => !/^-[neE]+$/.test(word.text));
  const text = plainWords.map((word) => word.text).join(' ');
  return [`${/\\/.test(text) ? unescaped(text) : text}\n`];
}

/** `printf FORMAT WORD...`: any text when the format is used again. */
function printf(words: readonly Word[]): readonly string[] {
  const [format = unknownWord, ...values] = words[0]?.text === '--' ? words.slice(1) : words;
  const waiting = values.map(({ text }) => text);
  const text = unescaped(format.text).replace(/%(?:%|[^%a-zA-Z]*[a-zA-Z])/g, (directive) => {
    if (directive === '%%') return '%';
    const value = waiting.shift() ?? '';
    return directive === '%s' ? value : unread.any;
  });
  return [text.length > shellWordCharsMax || waiting.length > 0 ? `${unread.any}${text}` : text];
}

/** Line ends and tabs; another escape may stand for any text. */
function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, (_, kind: string) =>
    kind === 'n' ? '\n' : kind === 't' ? '\t' : /[\\'"]/.test(kind) ? kind : unread.any,
  );
}
