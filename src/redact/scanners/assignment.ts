import { redactJudgedCharsMax, redactJudgedPerRunMax, redactNameCharsMax } from '#core/limits';
import {
  attributedAt,
  elementAt,
  endAt,
  formPartAt,
  isSetBy,
  isWord,
  matchAt,
  quotedAt,
  type Range,
  type Scanner,
  wrappedValues,
} from '#redact/form';
import {
  groupNoun,
  isSecret,
  kindOf,
  nameKeywords,
  option,
  quotedForm,
  type Sensitivity,
  sensitivityOf,
  type ValueForm,
  vendors,
} from '#redact/names';
import { membersAfter } from './groups.ts';
import { saidBefore, saidValue } from './prose.ts';
import { generatedNear } from './prose-near.ts';

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
      for (const { start, end, form } of valuesAfter(text, name, runEnds)) {
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

function valuesAfter(text: string, name: Name, runEnds: RunEnds): readonly AssignedValue[] {
  const match = matchAt(separator, text, name.end);
  if (match === null) return unsigned(text, name, runEnds);
  const [whole, assigned, fallback] = match;
  const end = name.end + whole.length;
  const lineBelow = /[:=]$/.test(assigned ?? '') ? endAt(below, text, end) : undefined;
  const at = lineBelow ?? end;
  const sign = assigned ?? fallback ?? '';
  const isSetter =
    sign === '('
      ? setter.test(name.text)
      : definer.test(text.slice(Math.max(0, name.start - 24), name.start));
  const loose = /^[,(|]$/.test(sign) && !isSetter && !text.startsWith('--', name.start);
  const tight = whole === '=';
  const inside = quotedAt(text, at);
  if (inside !== undefined) return [{ ...inside, form: { ...quotedForm, tight: tight && !loose, loose } }];
  if (sign === '|' || (lineBelow !== undefined && /\s/.test(text.charAt(end))))
    // A value that is only near the name must look generated.
    return bare(text, name, at, false, runEnds).map((one) => ({
      ...one,
      form: { ...one.form, loose: true },
    }));
  if (loose || fallback !== undefined) return [];
  const wrapped = wrappedValues(text, at);
  if (wrapped.length > 0) return wrapped.map((part) => ({ ...part, form: quotedForm }));
  return isQuote(text, at) ? [] : bare(text, name, at, tight, runEnds);
}

/** A value on the line below its name: a YAML block, a heredoc, the next column. */
const below =
  /(?:[|>][-+0-9]{0,2}[ \t]{0,8}(?:\r?\n|\\n)[ \t]{1,40}|<<[-~]?["']?\w{1,20}["']?(?:\r?\n|\\n)[ \t]{0,40}|(?:\r?\n|\\n)[ \t]{1,40})/y;

/** `.setPassword("x")`, `.withPassword("x")`, `.password("x")`. */
const setter = /(?:^|\.)(?:set|with)_?[A-Z]\w*$|^\.password$/;
/** `define('DB_PASSWORD', 'x')`. */
const definer = /(?:define|setenv|putenv|setProperty|\.(?:put|set|add|append))\(["']$/i;

function isQuote(text: string, at: number): boolean {
  return '"\'`'.includes(text.charAt(at)) && at < text.length;
}

// A closing quote or bracket of the name, a type, then the sign; `value=` in XML; the fallback operators.
const separator =
  /\\{0,7}["'`]?\*{0,2}(?:\]?[ \t]{0,40}(?:(?::[ \t]{0,4})?(?:&(?:'static )?)?(?:string|String\??|str|SecretString|\[\]byte|Option<String>)(?:[ \t]\|[ \t](?:null|undefined|None))?[ \t]{0,4}(?==))?(:{1,3}=|\?\?=|\|\|=|[?.+]=|={1,3}>?|:|[ \t]?value=|(?:,|[ \t]?\{(?=\s)(?:\s{1,20}[a-z_]{1,24}[ \t]{0,20}=[^\n{}]{0,200}\n){0,6})?(?:\\n|\\r|\s){0,40}\\{0,7}["']?(?:value|default)\\{0,7}["']?[ \t]{0,4}[:=]|,|\((?=\\{0,7}["'`])|\|(?=[ \t])(?!\|))|[\])]?[ \t]{1,4}(\|\||\?\?|(?<=[\])][ \t]{1,4})or(?=[ \t])))(?:\*\*)?[ \t]{0,40}/y;

/** Values without a sign: `<name>value</name>`, `--name value`, `ENV NAME value`, `name value` alone on a line, a form's parts. */
function unsigned(text: string, name: Name, runEnds: RunEnds): readonly AssignedValue[] {
  const { start, end } = name;
  const part = formPartAt(text, start, end) ?? attributedAt(text, start, end) ?? elementAt(text, start, end);
  if (part !== undefined) return [{ ...part, form: quotedForm }];
  if (!/[ \t]/.test(text.charAt(end))) return [];
  // A Lisp or Ruby keyword before a string.
  const isKeyword = text[start - 1] === ':' && isQuote(text, end + 1);
  const isFlag = isKeyword || text.startsWith('-', start) || text.startsWith('--', start - 2);
  const isSet = !isFlag && isSetBy(text, start);
  const isFirst = start === 0 || text[start - 1] === '\n';
  if (!isFlag && !isSet && !isFirst) return [];
  const form: ValueForm = { quoted: false, tight: isSet, alone: true, loose: !isFlag && !isSet };
  const inside = quotedAt(text, end + 1);
  if (inside !== undefined) return [{ ...inside, form: { ...form, quoted: true } }];
  // Prose may begin with such a word, so the value must be alone on the line.
  const found = bare(text, name, end + 1, false, runEnds).filter((one) => one.form.alone || !form.loose);
  return found.map((one) => ({ ...one, form }));
}

/** A value without quotes: none or one. */
function bare(text: string, name: Name, start: number, tight: boolean, runEnds: RunEnds): AssignedValue[] {
  const end = runEnds.after(start);
  const next = text.charAt(end);
  if (end === start || (!tight && next !== '' && '([{<'.includes(next))) return [];
  const before = name.start === 0 ? '\n' : text.charAt(name.start - 1);
  // Followed by a comma, a semicolon or a call it is code, where a bare word is a variable.
  const isLast = next === '' || '\n\r\\"'.includes(next);
  // A field among others, as in a line of a log, an address or a connection string; a word only between fields or in an option.
  const value = text.slice(start, Math.min(end, start + 64));
  const isField =
    tight &&
    /[A-Za-z]/.test(value) &&
    (option.test(name.text) ||
      (/[\s?&;]/.test(before) && /[ \t&;]/.test(next) && /\d/.test(value)) ||
      fieldBefore.test(text.slice(Math.max(0, name.start - 80), name.start)) ||
      matchAt(fieldAfter, text, end) !== null);
  const alone = isField || (isLast && /[\n\s"'&?;,-]/.test(before));
  return [{ start, end, form: { quoted: false, tight, alone, loose: false } }];
}

/** `user=me password=`, `Id=sa;Password=`, `-var db_password=` */
const fieldBefore = /(?:[\w.-]=[^\s;&,()=]{1,64}[ ;&,]|(?:^|\s)--?[A-Za-z][\w-]{0,30}[ =]["']?)$/;
const fieldAfter = /(?:[;&,]|[ \t])[\w.-]{1,24}=[^\s=]/y;

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
