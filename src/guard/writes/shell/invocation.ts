import type { Command, Redirection } from 'unbash';
import { shellWordsMax } from '../../../core/limits.ts';
import { hasUnread, plain } from '../../boundary/index.ts';
import type { State } from './state.ts';
import { type Invocation, noStdin, type Stdin, type Word } from './stdin.ts';
import { onlyText, piecesOf } from './words.ts';

/** A simple command's words, and what it gets on its input. */
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

/** What stands in the command line itself as its input, or the file it comes from. */
export function inputOf(redirections: readonly Redirection[], state: State): Stdin | null {
  const told = redirections.filter((one) => one.type !== 'Redirect' || one.operator === '<').at(-1);
  if (told === undefined) return null;
  if (told.type === 'HereDoc') {
    const { text, parts } = told.body;
    const node = { type: 'Word', text, value: text, pos: 0, end: 0, parts } as const;
    const isPlain = told.delimiter?.quoted === true || parts === undefined;
    return fedText((isPlain ? null : onlyText(piecesOf(node, state, 'value'))) ?? text);
  }
  const pieces = told.target === undefined ? [] : piecesOf(told.target, state, 'value');
  if (told.type === 'Redirect') {
    const [file = plain('')] = pieces;
    return state.findings.pipeAt(file.text) ?? { ...noStdin, file };
  }
  const text = onlyText(pieces);
  return text === null ? { words: pieces, text: null } : fedText(text);
}

/** A text with its words. */
export function fedText(text: string): Stdin {
  const lines = text.split('\n').filter((line) => line !== '');
  const words = lines.flatMap((line) => (/\s/.test(line) ? [...line.trim().split(/\s+/), line] : [line]));
  return { words: words.slice(0, shellWordsMax).map(plain), text };
}

/** The text that a command is fed, in which what cannot be read is `unread`; null when nothing of it is known. */
export function knownText({ words, text }: Stdin): string | null {
  if (text !== null) return text;
  return words === null || words.some((word) => hasUnread(word.text))
    ? null
    : words.map((word) => word.text).join('\n');
}
