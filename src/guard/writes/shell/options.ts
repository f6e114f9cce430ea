import { type Piece, plain } from '#guard/boundary';
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

interface Option {
  readonly name: string;
  readonly value: Word | undefined;
}

/** Parses by getopt's rules: bundled letters, `--name=value`, `--` before operands, shortened long names. */
export function sortOptions(words: readonly Word[], spec: OptionSpec = {}): Options {
  const found: Option[] = [];
  const operands: Word[] = [];
  const waiting = [...words].reverse();
  const next = (): Word | undefined => waiting.pop();
  const long = spec.long?.split(' ') ?? [];
  for (let word = next(); word !== undefined; word = next()) {
    const { text } = word;
    if (text === '--') operands.push(...waiting.splice(0).reverse());
    else if (text === '-' || !text.startsWith('-')) operands.push(word);
    else if (text.startsWith('--')) found.push(longOption(word, long, next));
    else found.push(...letterOptions(word, spec, next));
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

function longOption(word: Word, long: readonly string[], next: () => Word | undefined): Option {
  const [given = '', ...rest] = word.text.slice(2).split('=');
  const name = long.find((one) => one === given) ?? long.find((one) => isShortened(given, one));
  if (rest.length > 0) return { name: name ?? given, value: cut(word, given.length + 3) };
  return { name: name ?? given, value: name === undefined ? undefined : next() };
}

function letterOptions(word: Word, spec: OptionSpec, next: () => Word | undefined): Option[] {
  const found: Option[] = [];
  for (let at = 1; at < word.text.length; at += 1) {
    const name = word.text.charAt(at);
    if (spec.short?.includes(name) === true) {
      const isLast = at === word.text.length - 1;
      return [...found, { name, value: isLast ? next() : cut(word, at + 1) }];
    }
    found.push({ name, value: undefined });
    if (spec.attached?.includes(name) === true) break;
    if (spec.digits?.includes(name) === true) while (/\d/.test(word.text.charAt(at + 1))) at += 1;
  }
  return found;
}

/** GNU programs accept `--in-pl` for `--in-place`. */
function isShortened(given: string, name: string): boolean {
  return given.length > 2 && name.length > given.length && name.startsWith(given);
}

function cut(word: Piece, from: number): Piece {
  const text = word.text.slice(from);
  return word.pattern === null ? plain(text) : { text, pattern: text };
}
