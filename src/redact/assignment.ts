import { redactNameCharsMax, redactValueCharsMax } from '../limits.ts';
import { makers, nameKeywords, type Telling, tellingOf } from './name.ts';
import { isWord, ranks, type Scanner, type Span } from './rule.ts';
import { isExpression, isPlaceholder, isWordy, looksLikePath, looksRandom } from './value.ts';

/** How a value stands in its text; what is likely a secret differs. */
export interface Form {
  /** Between quotes, or a value of JSON. */
  readonly quoted: boolean;
  /** `NAME=value` without spaces, as in a shell or an `.env` file. */
  readonly tight: boolean;
  /** The name and value are all there is on the line. */
  readonly alone: boolean;
  /** Name and value are merely neighbours (`f("TOKEN", "x")`): only what looks generated counts. */
  readonly loose: boolean;
}

/**
 * Finds values assigned to telling names, in any of the usual notations: `NAME=x`, `export NAME='x'`,
 * `name: x`, `"name": "x"` (also escaped inside another string), `name := "x"`, `name => x`, `let name: &str =
 * "x"`, `<name>x</name>`, `key="name" value="x"`, `--name x`, `set("name", "x")`, `?name=x&`.
 */
export const assignments: Scanner = {
  keywords: [...new Set([...nameKeywords, ...makers])],
  begin(text, add) {
    let seenUpTo = 0;
    let coveredUpTo = 0;
    const runEnds = new RunEnds(text);
    return (start, end) => {
      if (end <= seenUpTo || start < coveredUpTo) return;
      const nameStart = startOfName(text, start);
      const nameEnd = endOfName(text, end);
      seenUpTo = nameEnd;
      if (!mayBeFollowedByValue(text, nameEnd)) return;
      const name = text.slice(nameStart, nameEnd);
      const found = valueAfter(text, nameStart, nameEnd, runEnds);
      if (found === undefined) return;
      const value = text.slice(found.start, found.end);
      // Shown cut off, as in `ghp_ab...`: what is left is no secret.
      if (value === '' || text.startsWith('...', found.end) || text.startsWith('…', found.end)) return;
      const telling = tellingOf(name);
      if (!isSecret(name, telling, value, found.form)) return;
      coveredUpTo = found.end;
      add({ start: found.start, end: found.end, ...kindOf(name, telling) });
    };
  },
};

/** The kind and rank of a value assigned to `name`: `env` for UPPER_SNAKE names. */
export function kindOf(name: string, telling: Telling): Pick<Span, 'kind' | 'rank'> {
  if (/^[A-Z][A-Z0-9_]*$/.test(name)) return { kind: 'env', rank: ranks.env };
  if (telling === 'maker' || telling === 'token') return { kind: 'high-entropy', rank: ranks.hint };
  return { kind: telling === 'password' ? 'password' : 'secret', rank: ranks.assignment };
}

/** Whether `value`, assigned to a name that tells this much, is to go. */
export function isSecret(name: string, telling: Telling, value: string, form: Form): boolean {
  if (telling === 'none' || isPlaceholder(value)) return false;
  if (/^pass$/i.test(name) && !form.tight && !form.quoted) return false;
  const random = looksRandom(value);
  if (form.loose || telling === 'maker') return random && value.length >= 14 && !isExpression(value);
  if (telling === 'token' && !form.tight) return random && !isExpression(value);
  if (form.quoted) return isSecretLiteral(name, telling, value, random);
  if (isExpression(value) && !(form.tight && /^[A-Z]/.test(name) && !/[([]/.test(value))) return false;
  if (form.tight && /^[A-Z][A-Z0-9_]*$/.test(name)) return isSecretVariable(telling, value, random);
  return isSecretBare(telling, value, random, form);
}

function isSecretLiteral(name: string, telling: Telling, value: string, random: boolean): boolean {
  if (random) return true;
  if (looksLikePath(value) || isExpression(value))
    return telling === 'password' && !/[\s(]/.test(value) && /\d/.test(value);
  const upper = /^[A-Z][A-Z0-9_]*$/.test(name);
  if (telling === 'password') return !isLabel(value);
  if (/\s/.test(value) || value.length < 6) return false;
  return !isWordy(value) || /\d/.test(value) || (upper && telling === 'secret' && !/[-_. ]/.test(value));
}

/** A value of `NAME=value` in a shell or `.env` file. */
function isSecretVariable(telling: Telling, value: string, random: boolean): boolean {
  if (random) return true;
  if (looksLikePath(value)) return false;
  if (/^\d+$/.test(value)) return telling === 'password' && value.length >= 4;
  if (telling === 'password' || telling === 'secret') return value.length >= 3;
  return value.length >= 6 && !/^[A-Z_]+$/.test(value);
}

/** A value without quotes, which in code is as like to be a variable. */
function isSecretBare(telling: Telling, value: string, random: boolean, form: Form): boolean {
  if (random) return true;
  if (value.length < 6 || looksLikePath(value))
    return telling === 'password' && /^\d{4,}$/.test(value) && form.alone;
  if (/^\d+$/.test(value)) return telling === 'password' && form.alone;
  const identifier = /^[A-Za-z_$][\w-]*$/.test(value);
  if (!identifier)
    return /[A-Za-z]/.test(value) && /[\d!@#$%^*~]/.test(value) && !/^[\d.]+[a-z]{0,3}$/.test(value);
  if (telling !== 'password' || namesSomething.test(value)) return !isWordy(value) && /\d/.test(value);
  return (
    form.alone &&
    !/\b(?:foo|bar|baz)\b/.test(value) &&
    (/\d/.test(value) || /^[a-z]{7,}$|^[a-z]+-[a-z-]+$/.test(value))
  );
}

const namesSomething =
  /pass|pwd|token|secret|key|cred|value|input|user|env|conf|arg|param|field|prompt|hash|encrypt|plain|result|res$|data|body|str|text|type|test|required|optional|login|auth/i;

/** True for a text that a person reads on a form, or a message, rather than a password. */
function isLabel(value: string): boolean {
  if (
    /^(?:current|new|old|confirm|your|enter|forgot|reset|change|show|hide|invalid|wrong|missing|incorrect|set|update)\b/i.test(
      value,
    )
  )
    return true;
  if (/\s/.test(value))
    return (
      /passw|must|requir|charact|please|invalid|incorrect|match|short|long|enter|[^\x20-\x7e]|[.:!?]$/i.test(
        value,
      ) || /^[A-Z][a-z]+(?: [a-z]+)+$/.test(value)
    );
  return /[^\x20-\x7e]/.test(value) && !/\d/.test(value)
    ? true
    : /^(?:[a-z]+[-_.])*(?:password|passwd|pwd)(?:[-_.][a-z]+)*$/i.test(value);
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly form: Form;
}

function valueAfter(text: string, nameStart: number, nameEnd: number, runEnds: RunEnds): Found | undefined {
  separator.lastIndex = nameEnd;
  const match = separator.exec(text);
  if (match === null) return elementOrFlag(text, nameStart, nameEnd, runEnds);
  const at = separator.lastIndex;
  const sign = match[1] ?? '';
  const loose = sign === ',';
  const tight = match[0] === '=';
  quote.lastIndex = at;
  const opening = quote.exec(text);
  if (opening !== null) {
    const inside = quoted(text, quote.lastIndex, opening[1] ?? '');
    return inside && { ...inside, form: { quoted: true, tight: tight && !loose, alone: false, loose } };
  }
  if (loose) return undefined;
  return bare(text, nameStart, at, tight, runEnds);
}

// A name's closing quote or bracket, a type, then the sign itself; `value=` for XML attributes.
const separator =
  /\\{0,6}["'`]?\]?[ \t]{0,40}(?:(?::[ \t]{0,4})?(?:&(?:'static )?)?(?:string|String|str|SecretString|\[\]byte|Option<String>)(?:[ \t]\|[ \t](?:null|undefined|None))?[ \t]{0,4}(?==))?(:{1,3}=|\?\?=|\|\|=|[?.+]=|={1,3}>?|:|[ \t]?value=|,?(?:\\n|\\r|\s){0,40}\\{0,6}["']?(?:value|default)\\{0,6}["']?[ \t]{0,4}[:=]|,)[ \t]{0,40}/y;
const quote = /(?:[bBrRuUfF@]|\$|String::from\(|new String\()?(\\{0,7}["'`])/y;

/** `<name>value</name>`, `--name value` and `name value` in a netrc or an npmrc. */
function elementOrFlag(
  text: string,
  nameStart: number,
  nameEnd: number,
  runEnds: RunEnds,
): Found | undefined {
  const next = text[nameEnd];
  if (next === '>' && /<(?:[\w-]+:)?$/.test(text.slice(Math.max(0, nameStart - 24), nameStart))) {
    element.lastIndex = nameEnd;
    const match = element.exec(text);
    const value = match?.[1];
    if (match === null || value === undefined) return undefined;
    const start = match.index + match[0].indexOf(value, 1);
    return {
      start,
      end: start + value.length,
      form: { quoted: true, tight: false, alone: false, loose: false },
    };
  }
  if (next === ' ' && (text.startsWith('--', nameStart) || text.startsWith('--', nameStart - 2))) {
    quote.lastIndex = nameEnd + 1;
    const opening = quote.exec(text);
    const inside = opening === null ? undefined : quoted(text, quote.lastIndex, opening[1] ?? '');
    const form = { quoted: inside !== undefined, tight: false, alone: true, loose: false };
    if (inside !== undefined) return { ...inside, form };
    const found = bare(text, nameStart, nameEnd + 1, false, runEnds);
    return found && { ...found, form };
  }
  return undefined;
}

const element = />[ \t\r\n]{0,80}([^\s<>&]{1,4000})[ \t\r\n]{0,80}<\//y;

function quoted(text: string, start: number, opening: string): Pick<Found, 'start' | 'end'> | undefined {
  const limit = Math.min(text.length, start + redactValueCharsMax);
  const mark = opening.at(-1) ?? '"';
  const depth = opening.length - 1;
  let slashes = 0;
  for (let at = start; at < limit; at++) {
    const character = text[at];
    if (character === '\\') slashes++;
    else {
      // A quote as deeply escaped as the opening one closes; a deeper one belongs to the value.
      if (character === mark && (depth === 0 ? slashes % 2 === 0 : slashes <= depth)) {
        return { start, end: at - (depth === 0 ? 0 : slashes) };
      }
      if (character === '\n' && mark !== '`') return undefined;
      slashes = 0;
    }
  }
  // Never closed: the text was cut here.
  return limit === text.length ? { start, end: limit } : undefined;
}

function bare(
  text: string,
  nameStart: number,
  start: number,
  tight: boolean,
  runEnds: RunEnds,
): Found | undefined {
  const end = runEnds.after(start);
  if (end === start) return undefined;
  const before = nameStart === 0 ? '\n' : text.charAt(nameStart - 1);
  const next = text.charAt(end);
  // A comma or semicolon after it, or a call: code, where a bare word is a variable.
  const alone =
    (next === '' || next === '\n' || next === '\r' || next === '\\' || next === '"') &&
    /[\n\s"'-]/.test(before);
  if (!tight && next !== '' && '([{<'.includes(next)) return undefined;
  return { start, end, form: { quoted: false, tight, alone, loose: false } };
}

/** Ends of runs of characters that a bare value may hold; remembered, so that overlapping reads stay linear. */
class RunEnds {
  readonly #text: string;
  #from = 0;
  #end = 0;

  constructor(text: string) {
    this.#text = text;
  }

  after(start: number): number {
    if (start >= this.#from && start < this.#end) return this.#end;
    const text = this.#text;
    let at = start;
    while (at < text.length && isBare(text, at)) at++;
    this.#from = start;
    this.#end = at;
    // A full stop, comma or bracket at the end belongs to the sentence.
    while (at > start && '.,:'.includes(text.charAt(at - 1))) at--;
    this.#end = at;
    return at;
  }
}

function isBare(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code <= 32 || code === 0x7f || code === 0xa0) return false;
  switch (code) {
    case 34: // "
    case 39: // '
    case 96: // `
    case 59: // ;
    case 44: // ,
    case 38: // &
    case 124: // |
    case 60: // <
    case 62: // >
    case 40: // (
    case 41: // )
    case 93: // ]
    case 125: // }
      return false;
    case 92: // An escape inside a string of JSON ends the value: \n, \t, \", \\n.
      return !/[nrtu"'\\]/.test(text.charAt(at + 1));
    default:
      return true;
  }
}

function mayBeFollowedByValue(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  // " ' \ ] space tab : = ? . + | , > `
  return (
    code === 61 ||
    code === 58 ||
    code === 34 ||
    code === 32 ||
    code === 39 ||
    code === 92 ||
    code === 93 ||
    code === 9 ||
    code === 63 ||
    code === 43 ||
    code === 124 ||
    code === 62 ||
    code === 96 ||
    code === 44
  );
}

function startOfName(text: string, from: number): number {
  const limit = Math.max(0, from - redactNameCharsMax);
  let at = from;
  while (at > limit && isNameCode(text.charCodeAt(at - 1))) at--;
  // The letter of an escape (`\n`, `ESC[32m`, `%3D`) is no part of the name.
  if (at > 0 && at < from) {
    const before = text.charCodeAt(at - 1);
    if (before === 92 && /[nrtbf]/.test(text.charAt(at))) at++;
    else if (before === 91) at += /^[0-9;]*m/.exec(text.slice(at, at + 9))?.[0].length ?? 0;
    else if (before === 37) at += 2;
  }
  return Math.min(at, from);
}

function endOfName(text: string, from: number): number {
  const limit = Math.min(text.length, from + redactNameCharsMax);
  let at = from;
  while (at < limit && isNameCode(text.charCodeAt(at))) at++;
  while (at > from && (text.charCodeAt(at - 1) === 46 || text.charCodeAt(at - 1) === 45)) at--;
  return at;
}

function isNameCode(code: number): boolean {
  return isWord(code) || code === 45 || code === 46;
}
