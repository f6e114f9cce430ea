import { type Piece, plain } from '../../boundary/index.ts';
import type { Word } from './stdin.ts';

/** The options of a program that take a value: letters and long names. */
export interface OptionSpec {
  readonly short?: string;
  /** Letters whose value may only be attached, as the rest of the word. */
  readonly attached?: string;
  /** Letters whose value is digits, with further letters behind them: perl's `-0777pi`. */
  readonly digits?: string;
  readonly long?: string;
}

export interface Options {
  readonly operands: readonly Word[];
  has(...names: readonly string[]): boolean;
  /** The last value of the options of these names. */
  value(...names: readonly string[]): Word | undefined;
  values(...names: readonly string[]): readonly Word[];
}

/** Parses by getopt's rules: bundled letters, `--name=value`, `--` before operands, shortened long names. */
export function sortOptions(words: readonly Word[], spec: OptionSpec = {}): Options {
  const found: { readonly name: string; readonly value: Word | undefined }[] = [];
  const operands: Word[] = [];
  const waiting = [...words].reverse();
  const long = spec.long?.split(' ') ?? [];
  for (let word = waiting.pop(); word !== undefined; word = waiting.pop()) {
    const text = word?.text ?? '';
    if (text === '--') {
      operands.push(...waiting.reverse());
      break;
    }
    if (word === null || text === '-' || !text.startsWith('-')) {
      operands.push(word);
    } else if (text.startsWith('--')) {
      const [name = '', ...rest] = text.slice(2).split('=');
      const takes =
        long.find((one) => one === name) ?? long.find((one) => name.length > 2 && one.startsWith(name));
      const value =
        rest.length > 0 ? cut(word, name.length + 3) : takes === undefined ? undefined : waiting.pop();
      found.push({ name: takes ?? name, value });
    } else {
      for (let at = 1; at < text.length; at += 1) {
        const letter = text[at] ?? '';
        const isLast = at === text.length - 1;
        if (spec.short?.includes(letter)) {
          found.push({ name: letter, value: isLast ? waiting.pop() : cut(word, at + 1) });
          break;
        }
        found.push({ name: letter, value: undefined });
        if (spec.attached?.includes(letter)) break;
        if (spec.digits?.includes(letter)) while (/\d/.test(text[at + 1] ?? '')) at += 1;
      }
    }
  }
  const named = (names: readonly string[]) =>
    found.filter(({ name }) =>
      names.some((one) => name === one || (!long.includes(name) && isShortened(name, one))),
    );
  return {
    operands,
    has: (...names) => named(names).length > 0,
    value: (...names) => named(names).at(-1)?.value,
    values: (...names) => named(names).flatMap(({ value }) => (value === undefined ? [] : [value])),
  };
}

/** GNU programs accept `--in-pl` for `--in-place`. */
function isShortened(given: string, name: string): boolean {
  return given.length > 2 && name.length > given.length && name.startsWith(given);
}

function cut(word: Piece, from: number): Piece {
  const text = word.text.slice(from);
  return word.pattern === null ? plain(text) : { text, pattern: text };
}
