import { redactJudgedCharsMax, redactJudgedPerRunMax, redactNameCharsMax } from '../limits.ts';
import { type Form, isSecret, kindOf } from './judge.ts';
import { makers, nameKeywords, tellingOf } from './name.ts';
import { isWord, type Scanner } from './rule.ts';

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
      const value = text.slice(found.start, Math.min(found.end, found.start + redactJudgedCharsMax));
      // Shown cut off, as in `ghp_ab...`: what is left is no secret.
      if (value === '' || text.startsWith('...', found.end) || text.startsWith('…', found.end)) return;
      const telling = tellingOf(name);
      if (!isSecret(name, telling, value, found.form)) return;
      coveredUpTo = found.end;
      add({ start: found.start, end: found.end, ...kindOf(name, telling) });
    };
  },
};

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
  const mark = opening.at(-1) ?? '"';
  const depth = opening.length - 1;
  let slashes = 0;
  for (let at = start; at < text.length; at++) {
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
  return { start, end: text.length };
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
  #judged = 0;

  constructor(text: string) {
    this.#text = text;
  }

  after(start: number): number {
    if (start >= this.#from && start < this.#end) {
      // Hundreds of assignments without a space between: not configuration, and not worth judging each.
      return ++this.#judged > redactJudgedPerRunMax ? start : this.#end;
    }
    this.#judged = 0;
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
  return at < text.length && '=: "\'\\]\t?+|>`,.\n\r'.includes(text.charAt(at));
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
