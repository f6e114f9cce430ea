import { redactJudgedCharsMax, redactJudgedPerRunMax, redactNameCharsMax } from '../../core/limits.ts';
import { membersAfter } from './groups.ts';
import { isSecret, kindOf, quotedForm, type ValueForm } from './judge.ts';
import { groupNoun, nameKeywords, type Sensitivity, sensitivityOf, vendors } from './name.ts';
import { attributedAt, elementAt, formPartAt, isSetBy, quotedAt, wrappedValues } from './notation.ts';
import { saidBefore, saidValue } from './prose.ts';
import { generatedNear } from './prose-near.ts';
import type { Range } from './range.ts';
import { isWord, type Scanner } from './rule.ts';

/**
 * Values assigned to sensitive names: `NAME=x`, `name: x`, `"name": "x"`, `name := "x"`, `let name: &str = "x"`,
 * `<name>x</name>`, `key="name" value="x"`, `--name x`, `set("name", "x")`, `?name=x&`, `name || "x"`, `"names":
 * ["x"]`, `ENV NAME x`, form fields; also escaped inside strings.
 */
export const assignments: Scanner = {
  keywords: [...new Set([...nameKeywords, ...vendors])],
  begin(text, add) {
    let seenUpTo = 0;
    let groupsUpTo = 0;
    const runEnds = new RunEnds(text);
    return (start, end) => {
      if (end <= seenUpTo) return 0;
      const name = nameAround(text, start, end);
      seenUpTo = name.end;
      const sensitivity = mayBeFollowedByValue(text, name.end) ? sensitivityOf(name.text) : 'none';
      if (sensitivity === 'none') return 0;
      const kind = kindOf(name.text, sensitivity);
      const group = name.start < groupsUpTo ? undefined : groupNoun(name.text);
      for (const found of group === undefined ? [] : membersAfter(text, name.start, name.end, group)) {
        groupsUpTo = found.end;
        add({ ...found, ...kindOf(name.text, 'secret') });
      }
      const said = saidWith(text, name, sensitivity);
      if (said !== undefined) add({ ...said, ...kind });
      let readUpTo = 0;
      for (const { start, end, form } of valuesAfter(text, name.start, name.end, runEnds)) {
        const value = text.slice(start, Math.min(end, start + redactJudgedCharsMax));
        // `ghp_ab...` is already cut.
        if (value === '' || text.startsWith('...', end) || text.startsWith('…', end)) continue;
        if (!isSecret(name.text, sensitivity, value, form)) continue;
        readUpTo = end;
        add({ start, end, ...kind });
      }
      return readUpTo;
    };
  },
};

interface AssignedValue extends Range {
  readonly form: ValueForm;
}

function valuesAfter(
  text: string,
  nameStart: number,
  nameEnd: number,
  runEnds: RunEnds,
): readonly AssignedValue[] {
  separator.lastIndex = nameEnd;
  const match = separator.exec(text);
  if (match === null) return one(unsigned(text, nameStart, nameEnd, runEnds));
  below.lastIndex = separator.lastIndex;
  const isBelow = /[:=]$/.test(match[1] ?? '') && below.test(text);
  const at = isBelow ? below.lastIndex : separator.lastIndex;
  const sign = match[1] ?? match[2] ?? '';
  const loose = /^[,(|]$/.test(sign) && !text.startsWith('--', nameStart);
  const tight = match[0] === '=';
  const inside = quotedAt(text, at);
  if (inside !== undefined)
    return [{ ...inside, form: { quoted: true, tight: tight && !loose, alone: false, loose } }];
  if (sign === '|' || (isBelow && /\s/.test(text.charAt(separator.lastIndex))))
    return one(cell(text, nameStart, at, runEnds));
  if (loose || match[2] !== undefined) return [];
  const wrapped = wrappedValues(text, at);
  if (wrapped.length > 0) return wrapped.map((part) => ({ ...part, form: quotedForm }));
  return isQuote(text, at) ? [] : one(bare(text, nameStart, at, tight, runEnds));
}

/** A value on the line below its name: a YAML block, a heredoc, the next column. */
const below =
  /(?:[|>][-+0-9]{0,2}[ \t]{0,8}(?:\r?\n|\\n)[ \t]{1,40}|<<[-~]?["']?\w{1,20}["']?(?:\r?\n|\\n)[ \t]{0,40}|(?:\r?\n|\\n)[ \t]{1,40})/y;

/** A value that is only near the name must look generated. */
function cell(text: string, nameStart: number, at: number, runEnds: RunEnds): AssignedValue | undefined {
  const found = bare(text, nameStart, at, false, runEnds);
  return found === undefined ? undefined : { ...found, form: { ...found.form, loose: true } };
}

function one(found: AssignedValue | undefined): readonly AssignedValue[] {
  return found === undefined ? [] : [found];
}

function isQuote(text: string, at: number): boolean {
  return '"\'`'.includes(text.charAt(at)) && at < text.length;
}

// A closing quote or bracket of the name, a type, then the sign; `value=` in XML; the fallback operators.
const separator =
  /\\{0,7}["'`]?\*{0,2}(?:\]?[ \t]{0,40}(?:(?::[ \t]{0,4})?(?:&(?:'static )?)?(?:string|String\??|str|SecretString|\[\]byte|Option<String>)(?:[ \t]\|[ \t](?:null|undefined|None))?[ \t]{0,4}(?==))?(:{1,3}=|\?\?=|\|\|=|[?.+]=|={1,3}>?|:|[ \t]?value=|(?:,|[ \t]?\{(?=\s)(?:\s{1,20}[a-z_]{1,24}[ \t]{0,20}=[^\n{}]{0,200}\n){0,6})?(?:\\n|\\r|\s){0,40}\\{0,7}["']?(?:value|default)\\{0,7}["']?[ \t]{0,4}[:=]|,|\((?=\\{0,7}["'`])|\|(?=[ \t])(?!\|))|[\])]?[ \t]{1,4}(\|\||\?\?|(?<=[\])][ \t]{1,4})or(?=[ \t])))(?:\*\*)?[ \t]{0,40}/y;

/** Values without a sign: `<name>value</name>`, `--name value`, `ENV NAME value`, `name value` alone on a line, a form's parts. */
function unsigned(
  text: string,
  nameStart: number,
  nameEnd: number,
  runEnds: RunEnds,
): AssignedValue | undefined {
  const next = text[nameEnd];
  const part =
    formPartAt(text, nameStart, nameEnd) ??
    attributedAt(text, nameStart, nameEnd) ??
    elementAt(text, nameStart, nameEnd);
  if (part !== undefined) return { ...part, form: quotedForm };
  if (next !== ' ' && next !== '\t') return undefined;
  // A Lisp or Ruby keyword before a string.
  const isKeyword = text[nameStart - 1] === ':' && isQuote(text, nameEnd + 1);
  const isFlag = isKeyword || text.startsWith('-', nameStart) || text.startsWith('--', nameStart - 2);
  const isSet = !isFlag && isSetBy(text, nameStart);
  const isFirst = nameStart === 0 || text[nameStart - 1] === '\n';
  if (!isFlag && !isSet && !isFirst) return undefined;
  const form: ValueForm = { quoted: false, tight: isSet, alone: true, loose: !isFlag && !isSet };
  const inside = quotedAt(text, nameEnd + 1);
  if (inside !== undefined) return { ...inside, form: { ...form, quoted: true } };
  const found = bare(text, nameStart, nameEnd + 1, false, runEnds);
  // Prose may begin with such a word, so the value must be alone on the line.
  return found === undefined || (form.loose && !found.form.alone) ? undefined : { ...found, form };
}

function bare(
  text: string,
  nameStart: number,
  start: number,
  tight: boolean,
  runEnds: RunEnds,
): AssignedValue | undefined {
  const end = runEnds.after(start);
  if (end === start) return undefined;
  const before = nameStart === 0 ? '\n' : text.charAt(nameStart - 1);
  const next = text.charAt(end);
  // Followed by a comma, a semicolon or a call it is code, where a bare word is a variable.
  const isLast = next === '' || '\n\r\\"'.includes(next);
  // A field among others, as in a line of a log, an address or a connection string.
  const isField =
    tight && /[\s?&]/.test(before) && /[ \t&]/.test(next) && hasBoth.test(text.slice(start, end));
  const alone = isField || (isLast && /[\n\s"'-]/.test(before));
  if (!tight && next !== '' && '([{<'.includes(next)) return undefined;
  return { start, end, form: { quoted: false, tight, alone, loose: false } };
}

const hasBoth = /^(?=.{0,64}\d).{0,64}[A-Za-z]/;

/** Ends of runs of characters of a bare value, remembered so that overlapping reads stay linear. */
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
      // Hundreds of assignments without a space are not configuration.
      return ++this.#judged > redactJudgedPerRunMax ? start : this.#end;
    }
    this.#judged = 0;
    const text = this.#text;
    let at = start;
    while (at < text.length && isBare(text, at)) at++;
    this.#from = start;
    this.#end = at;
    // Final punctuation belongs to the sentence.
    while (at > start && '.,:'.includes(text.charAt(at - 1))) at--;
    this.#end = at;
    return at;
  }
}

function isBare(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code <= 32 || code === 0x7f || code === 0xa0) return false;
  // An escape inside a string of JSON ends the value: \n, \t, \", \\n.
  if (code === 92) return !/[nrtu"'\\]/.test(text.charAt(at + 1));
  return stops[code] !== 1;
}

/** By code: what ends a bare value. */
const stops = new Uint8Array(128);
for (const sign of '"\'`;,&|<>()]}') stops[sign.charCodeAt(0)] = 1;

/** The value that a sentence gives to `DB_TOKEN`, `api_key` or `apiKey`; other names are words of the sentence. */
function saidWith(
  text: string,
  { text: name, start, end }: Name,
  sensitivity: Sensitivity,
): Range | undefined {
  if (sensitivity === 'vendor' || !/[A-Za-z0-9]_[A-Za-z0-9]|[a-z][A-Z]/.test(name)) return undefined;
  const noun = sensitivity === 'password' ? 'password' : 'token';
  return saidValue(text, end, noun) ?? saidBefore(text, start, noun) ?? generatedNear(text, start, end, noun);
}

function mayBeFollowedByValue(text: string, at: number): boolean {
  const next = text.charAt(at);
  return next === '' || '=: "\'\\]\t?+|>`,.\n\r*(<'.includes(next) || next > '\u3000';
}

interface Name extends Range {
  readonly text: string;
}

/** The name around a keyword: letters, digits, `_`, `-` and `.`. */
function nameAround(text: string, from: number, to: number): Name {
  const least = Math.max(0, from - redactNameCharsMax);
  let start = from;
  while (start > least && isNameCode(text.charCodeAt(start - 1))) start--;
  // The letter of an escape (`\n`, `ESC[32m`, `%3D`) does not belong to the name.
  if (start > 0 && start < from) {
    const before = text.charAt(start - 1);
    if (before === '\\' && /[nrtbf]/.test(text.charAt(start))) start++;
    else if (before === '[') start += /^[0-9;]*m/.exec(text.slice(start, start + 9))?.[0].length ?? 0;
    else if (before === '%') start += 2;
  }
  start = Math.min(start, from);
  const most = Math.min(text.length, to + redactNameCharsMax);
  let end = to;
  while (end < most && isNameCode(text.charCodeAt(end))) end++;
  while (end > to && '.-'.includes(text.charAt(end - 1))) end--;
  return { text: text.slice(start, end), start, end };
}

function isNameCode(code: number): boolean {
  return isWord(code) || code === 45 || code === 46;
}
