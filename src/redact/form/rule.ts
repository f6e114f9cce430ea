import type { Range } from './range.ts';

/** For checks that a pattern cannot make. */
interface MatchContext {
  readonly text: string;
  /** Offset of the match in `text`. */
  readonly start: number;
}

/**
 * One format of secrets. The pattern is tried only at its keywords, so that a rule costs nothing in a text without
 * them.
 */
export interface Rule {
  /** The KIND in `<redacted:KIND>`. */
  readonly name: string;
  /** Lower-case ASCII; found in any case. */
  readonly keywords: readonly string[];
  /** Compiled on first use, as most rules are never used. */
  readonly form: () => Form;
  /**
   * Where the keyword of a match may be. `word`: only where a word begins (`isBoundary`). `part`: behind `-`, `_` or `/` too, and `anywhere`:
   * inside a word too, if what follows looks generated. `free`: the pattern decides.
   */
  readonly at: 'word' | 'part' | 'anywhere' | 'free';
  /** How many characters before its keyword a match may begin. */
  readonly before: number;
  /** Least Shannon entropy in bits per character; keeps `ghp_xxxx...` readable. */
  readonly entropyMin: number;
  readonly check?: (secret: string, place: MatchContext) => boolean;
}

export interface Form {
  /**
   * The secret is group 1, or the whole match without groups. Every repetition is bounded; parts of any length are
   * in `tail`.
   */
  readonly pattern: RegExp;
  /** What follows the pattern and belongs to the secret: runs of a set, and patterns between them that must match. */
  readonly tail: readonly (SetName | RegExp)[];
}

/** A range to replace. Overlapping spans are merged and take the kind of the highest rank. */
export interface Span extends Range {
  readonly kind: string;
  readonly rank: number;
}

export const ranks = { hint: 1, assignment: 2, token: 3, env: 4, block: 5, private: 6 } as const;

/** Finds spans where a pattern cannot. Called at each of its keywords. */
export interface Scanner {
  readonly keywords: readonly string[];
  /**
   * Called once per text. The result is called with the range of each keyword, in ascending order of `end`, and returns how far
   * it has read: it is not called for keywords that begin before `readUpTo`, the furthest of these.
   */
  readonly begin: (
    text: string,
    add: (span: Span) => void,
    notes: Notes,
  ) => (start: number, end: number, readUpTo: number) => number;
}

/** What a reading of a text shows about how to read it again. */
export class Notes {
  /** A secret may span lines: read the text without line prefixes. */
  isPrefixed = false;
  /** The text holds colours, invisible signs or escaped characters: read it without them. */
  isVeiled = false;
  /** A block has only its beginning or its end in this text; the other end may be in another text. */
  hasLooseEnd = false;
}

/** Alphabets, each as the inside of a character class. */
export const sets = {
  digit: '0-9',
  hex: '0-9a-f',
  anyHex: '0-9a-fA-F',
  lower: 'a-z0-9',
  upper: 'A-Z0-9',
  letter: 'A-Za-z',
  alnum: 'A-Za-z0-9',
  word: 'A-Za-z0-9_',
  url: 'A-Za-z0-9_\\-',
  wide: 'A-Za-z0-9_=\\-',
  base64: 'A-Za-z0-9+/',
  bases: 'A-Za-z0-9+/_\\-',
  token68: 'A-Za-z0-9._~+/\\-',
  token: 'A-Za-z0-9%+/=_~.\\-',
  cell: '^\\s"\\\\',
  hash: 'A-Za-z0-9+/=$.,_\\-',
  value: '^\\s"\'`<>,;\\\\()',
} as const;
export type SetName = keyof typeof sets;

export function isSetName(name: string): name is SetName {
  return Object.hasOwn(sets, name);
}

/**
 * Whether a token may begin at `at`, which is not inside a word. An escape in JSON (`\\nTOKEN`), a percent-encoded
 * character (`%3DTOKEN`) and a terminal colour (`ESC[32mTOKEN`) do not count as words.
 */
export function isBoundary(text: string, at: number): boolean {
  if (at === 0) return true;
  const code = text.charCodeAt(at - 1);
  if (code === 45) return signOfLine.test(text.slice(Math.max(0, at - 24), at));
  return !isWord(code) || isEscapeEnd(text, at);
}

/** Whether an escape ends at `at`: `\\n`, `\\u003d`, `%3D`, `ESC[32m`. By code, since every keyword inside a word asks. */
function isEscapeEnd(text: string, at: number): boolean {
  if (text.charCodeAt(at - 2) === 92) return 'nrtbf'.includes(text.charAt(at - 1));
  if (text.charCodeAt(at - 3) === 37) return /^[0-9A-Fa-f]{2}$/.test(text.slice(at - 2, at));
  if (text.charCodeAt(at - 6) === 92 && text.charCodeAt(at - 5) === 117)
    return /^[0-9a-fA-F]{4}$/.test(text.slice(at - 4, at));
  let start = at - 2;
  while (at - start <= 18 && isParameter(text.charCodeAt(start))) start--;
  return text.charCodeAt(start) === 91 && /[A-Za-z]/.test(text.charAt(at - 1));
}

/** Of a terminal's escape sequence: digits and `;`. */
function isParameter(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 59;
}
/** A diff sign, or the separator after a line number of grep. */
const signOfLine = /(?:^|[\s"'`>|+-]|\\[nrt]|m|\[|[:\-\s]\d{1,7}|^\d{1,7})-$/;

export function isWord(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
  );
}

/** What `make` returns, made on first use. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

type Options = Partial<Omit<Rule, 'name' | 'keywords' | 'form'>>;

/** A rule by its pattern, where `<<url>>` is a run of the set `url` of any length. */
export function ruleOf(
  name: string,
  keywords: readonly string[],
  { source, flags }: Pick<RegExp, 'source' | 'flags'>,
  options: Options = {},
): Rule {
  const [first = '', ...others] = source.split(/<<(\w+)>>/);
  // The names of runs stand between the patterns.
  const tail = others.flatMap((part, at) =>
    at % 2 === 0 ? [runOf(part)] : part === '' ? [] : [new RegExp(part, 'y')],
  );
  const form = once(() => ({ pattern: new RegExp(softened(first), `${flags}y`), tail }));
  return { name, keywords, form, at: 'free', before: 0, entropyMin: 0, ...options };
}

function runOf(name: string): SetName | RegExp {
  if (name === 'wrapped') return wrapped;
  if (!isSetName(name)) throw new Error(`Unknown run in a pattern: ${name}`);
  return name;
}

const newline = '(?:\\r?\\n|\\\\r\\\\n|\\\\n)[ \\t]{0,20}';
/** Further lines of wrapped base64; the last may be short. */
const wrapped = new RegExp(
  `(?:(?:${newline}[A-Za-z0-9+/]{60,76}){1,80}(?:${newline}[A-Za-z0-9+/]{1,76}={0,2})?)?`,
  'y',
);

/** The rows of a table in a text, each as its columns, which two blanks or more separate. `#` begins a comment. */
export function rowsOf(table: string): readonly string[][] {
  const lines = table.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split(/ {2,}/));
}

/** Makes a leading lookbehind accept escapes, as `isBoundary` does. */
function softened(source: string): string {
  const lookbehind = /^\(\?<!(?:\\w|\[(?:\\.|[^\]])*\])\)/.exec(source)?.[0];
  if (lookbehind === undefined) return source;
  const escapes = '(?<=\\\\[nrtbf])|(?<=%[0-9A-Fa-f]{2})|(?<=\\[[0-9;]{0,16}[A-Za-z])';
  return `(?:${lookbehind}|${escapes})${source.slice(lookbehind.length)}`;
}
