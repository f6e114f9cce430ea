import type { Range } from './range.ts';

/** What a rule sees of the place where it matched, for checks that a pattern cannot make. */
export interface MatchContext {
  readonly text: string;
  /** Offset of the match in `text`. */
  readonly start: number;
}

/**
 * One kind of secret. The keywords lead to it: the pattern is tried at each occurrence of a keyword, and
 * only there, so that a rule costs nothing in a text without its keyword.
 */
export interface Rule {
  /** The KIND in `<redacted:KIND>`. */
  readonly name: string;
  /** Lower-case ASCII; found in any case. */
  readonly keywords: readonly string[];
  /**
   * The secret is group 1, or the whole match where there is no group; the rest stays readable. It repeats nothing without a
   * bound: what may be of any length follows in `tail`.
   */
  readonly pattern: RegExp;
  /**
   * What follows the pattern and belongs to the secret: runs of a set, each taken whole and measured once a text, and patterns
   * between them. If one of the patterns does not match, the rule does not.
   */
  readonly tail: readonly (SetName | RegExp)[];
  /** True when a match can begin only where `isBoundary` says; asked before the pattern, being cheaper. */
  readonly bounded: boolean;
  /** How many characters before its keyword a match may begin; 0 = at the keyword. */
  readonly before: number;
  /** The least Shannon entropy of the secret, in bits a character; keeps `ghp_xxxx...` readable. */
  readonly entropyMin: number;
  readonly check?: (secret: string, place: MatchContext) => boolean;
  /** Texts that the rule must redact, made at run time so that no token-like string stands in the source. */
  readonly samples: () => readonly string[];
}

/** A part of a text to be replaced. Of overlapping ones the highest rank gives the kind, all give the extent. */
export interface Span extends Range {
  readonly kind: string;
  readonly rank: number;
}

export const ranks = { hint: 1, assignment: 2, token: 3, env: 4, block: 5, private: 6 } as const;

/** Code that finds spans where a pattern cannot; called at each occurrence of one of its keywords. */
export interface Scanner {
  readonly keywords: readonly string[];
  /** `start` and `end` delimit the keyword. Offsets come in ascending order of `end`, once a text. */
  readonly begin: (
    text: string,
    add: (span: Span) => void,
    notes: Notes,
  ) => (start: number, end: number) => void;
}

/** What a scanner saw besides spans. */
export interface Notes {
  /** The text may hold a secret that spans lines: read it again without what stands before each line. */
  isPrefixed: boolean;
  /** Something begins or ends that has no end or beginning in this text: the rest may be in another one. */
  hasLooseEnd: boolean;
}

/** Alphabets of token bodies, as the inside of a character class. */
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
 * Whether a token may begin at `at`: not inside a word. A word that only seems to go on is an escape inside a
 * string of JSON (`\\nTOKEN`), a percent-encoded character (`%3DTOKEN`) or a terminal's colour (`ESC[32mTOKEN`).
 */
export function isBoundary(text: string, at: number): boolean {
  if (at === 0) return true;
  const code = text.charCodeAt(at - 1);
  if (!isWord(code) && code !== 45) return true;
  const before = text.slice(Math.max(0, at - 24), at);
  return code === 45 ? signOfLine.test(before) : afterEscape.test(before);
}
const afterEscape = /\\[nrtbf]$|\\u[0-9a-fA-F]{4}$|%[0-9A-Fa-f]{2}$|\[[0-9;]{0,16}[A-Za-z]$/;
/** The sign of a removed line, or what stands between a line's number and what grep shows of it. */
const signOfLine = /(?:^|[\s"'`>|+-]|\\[nrt]|m|\[|[:\-\s]\d{1,7}|^\d{1,7})-$/;

/** Letters, digits and `_`. */
export function isWord(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
  );
}

/** A rule by its pattern, for a format that the table of formats cannot hold. */
export function patterned(
  name: string,
  keywords: readonly string[],
  pattern: RegExp,
  samples: () => readonly string[],
  options: Partial<Pick<Rule, 'before' | 'bounded' | 'entropyMin' | 'check' | 'tail'>> = {},
): Rule {
  return {
    name,
    keywords,
    pattern: sticky(pattern, softened(pattern.source)),
    tail: (options.tail ?? []).map((part) => (typeof part === 'string' ? part : sticky(part))),
    bounded: options.bounded ?? false,
    before: options.before ?? 0,
    entropyMin: options.entropyMin ?? 0,
    ...(options.check === undefined ? {} : { check: options.check }),
    samples,
  };
}

function sticky(pattern: RegExp, source = pattern.source): RegExp {
  return new RegExp(source, [...new Set(`${pattern.flags}y`)].join(''));
}

/** The pattern with a lookbehind at its start that, like `isBoundary`, sees through escapes. */
function softened(source: string): string {
  const lookbehind = /^\(\?<!(?:\\w|\[(?:\\.|[^\]])*\])\)/.exec(source)?.[0];
  if (lookbehind === undefined) return source;
  const escapes = '(?<=\\\\[nrtbf])|(?<=%[0-9A-Fa-f]{2})|(?<=\\[[0-9;]{0,16}[A-Za-z])';
  return `(?:${lookbehind}|${escapes})${source.slice(lookbehind.length)}`;
}

/** `length` characters of a set, the same each time and without a repeating pattern. */
export function fill(set: SetName, length: number, seed = 7): string {
  const alphabet = alphabetOf(set);
  let state = seed * 2654435761 + length;
  let text = '';
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    text += alphabet[(state >>> 16) % alphabet.length] ?? '';
  }
  return text;
}

function alphabetOf(set: SetName): string {
  const members = new RegExp(`[${sets[set]}]`);
  let alphabet = '';
  for (let code = 33; code < 127; code++) {
    const character = String.fromCharCode(code);
    // A body that begins or ends with these would be at odds with what delimits tokens in real text.
    if (members.test(character) && !'_=-+/'.includes(character)) alphabet += character;
  }
  return alphabet;
}
