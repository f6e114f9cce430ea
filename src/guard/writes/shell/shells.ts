import { scriptsAt } from './builtins.ts';
import type { Command, State } from './state.ts';
import type { Word } from './stdin.ts';

const shells = new Set(['bash', 'sh', 'zsh', 'dash', 'ksh', 'ash', 'mksh', 'rbash']);

export function isShell(program: string): boolean {
  return shells.has(program);
}

/** `bash -c TEXT NAME WORD...`, or a script on the standard input; a script file is not read. */
export const runShell: Command = (words, state, stdin) => {
  const { isText, isFed, operands } = sortedOptions(words, state);
  const [first, ...rest] = operands;
  const inner = state.subshell();
  if (isText) {
    inner.positional = rest.slice(1);
    if (rest[0] !== undefined) inner.setValues('0', rest.slice(0, 1));
    if (first !== undefined) inner.runHere(first.text);
    return;
  }
  inner.positional = isFed ? operands : rest;
  const texts = first === undefined || isFed ? stdin.texts : scriptsAt(first, stdin, state);
  for (const text of texts) inner.runHere(text);
};

function sortedOptions(
  words: readonly Word[],
  state: State,
): { readonly isText: boolean; readonly isFed: boolean; readonly operands: readonly Word[] } {
  let [isText, isFed] = [false, false];
  for (let at = 0; at < words.length; at += 1) {
    const text = words[at]?.text ?? '';
    if (text === '--' || text === '-') return { isText, isFed, operands: words.slice(at + 1) };
    if (!/^[-+]./.test(text)) return { isText, isFed, operands: words.slice(at) };
    if (/^--/.test(text)) {
      if (/^--(?:rcfile|init-file)$/.test(text)) at += 1;
      continue;
    }
    if (text.startsWith('-') && text.includes('c')) isText = true;
    if (text.startsWith('-') && text.includes('s')) isFed = true;
    if (/[oO]$/.test(text)) at += 1;
    if (text.includes('O')) state.findings.isLoose = true;
  }
  return { isText, isFed, operands: [] };
}

/** Words as one command line, for programs that pass them to a shell. */
export function asLine(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(' ');
}

/** Words as a command line that keeps each of them whole. */
export function asQuotedLine(words: readonly Word[]): string {
  return words.map(({ text }) => `'${text.replaceAll("'", "'\\''")}'`).join(' ');
}
