import type { Command, Redirection } from 'unbash';
import { shellWordsMax } from '#core/limits';
import { plain } from '#guard/boundary';
import { onlyText } from './parameters.ts';
import type { State } from './state.ts';
import { type Invocation, type Stdin, unknownInput, type Word } from './stdin.ts';
import { piecesOf } from './words.ts';

/** A simple command's words and its input. */
export function invocationOf(node: Command, state: State, stdin: Stdin): Invocation {
  const words = [node.name, ...node.args].flatMap((one): readonly Word[] => {
    if (one === undefined) return [];
    if (one.type === 'Word') return piecesOf(one, state, one === node.name ? 'name' : 'argument');
    if (one.value.type === 'ArrayValue') return [plain(one.text)];
    const start = `${one.name}${one.append === true ? '+' : ''}=`;
    return piecesOf(one.value, state, 'value').map(({ text }) => plain(`${start}${text}`));
  });
  return { words: words.slice(0, shellWordsMax), stdin: inputOf(node.redirects, state) ?? stdin };
}

/** The input that a command line itself holds, or the file that it comes from; null without a redirection. */
export function inputOf(redirections: readonly Redirection[], state: State): Stdin | null {
  const last = redirections.filter((one) => one.type !== 'Redirect' || one.operator === '<').at(-1);
  if (last === undefined) return null;
  if (last.type === 'HereDoc') {
    const { text, parts } = last.body;
    const node = { type: 'Word', text, value: text, pos: 0, end: 0, parts } as const;
    const isPlain = last.delimiter?.quoted === true || parts === undefined;
    return { texts: [(isPlain ? null : onlyText(piecesOf(node, state, 'value'))) ?? text] };
  }
  const pieces = last.target === undefined ? [] : piecesOf(last.target, state, 'value');
  if (last.type !== 'Redirect') return { texts: pieces.map(({ text }) => text) };
  const [file = plain('')] = pieces;
  return state.findings.pipeAt(file.text) ?? { ...unknownInput, file };
}
